import { SETTINGS, SETTING_NAMES, type SettingName, type Behavior } from '../../../sandbox/endpoints/behavior.mts';
import { isBreaking, PLAIN, TIMEOUT_SECONDS, type Case } from './cases.mts';

type Value = [setting: SettingName, behavior: string];

const valuesOf = (setting: SettingName) => SETTINGS[setting].behaviors.map((behavior): Value => [setting, behavior]);
const pairOf = (...values: [Value, Value]) =>
	values
		.map((value) => value.join())
		.sort()
		.join();

/** Settings of the service in which every behavior meets every behavior of every other setting at least once. */
export function coverPairs(): Behavior[] {
	const missing = new Map<string, [Value, Value]>();
	SETTING_NAMES.forEach((a, index) => {
		for (const b of SETTING_NAMES.slice(index + 1))
			for (const one of valuesOf(a)) for (const other of valuesOf(b)) missing.set(pairOf(one, other), [one, other]);
	});
	const behaviors: Behavior[] = [];
	for (let [pair] = missing.values(); pair; [pair] = missing.values()) {
		const chosen: Value[] = [...pair];
		for (const setting of SETTING_NAMES.filter((name) => chosen.every(([other]) => other !== name))) {
			const gain = (value: Value) => chosen.filter((other) => missing.has(pairOf(value, other))).length;
			chosen.push(valuesOf(setting).reduce((best, value) => (gain(value) > gain(best) ? value : best)));
		}
		for (const a of chosen) for (const b of chosen) missing.delete(pairOf(a, b));
		behaviors.push(Object.fromEntries(chosen) as Behavior);
	}
	return behaviors;
}

/** Every operation with these settings: in several pages with tokens that expire, filtered, and with no clients. */
export function casesFor(behavior: Behavior, seed: number): Case[] {
	const [clients, maxPageLimit] = isBreaking(behavior) ? [130, 100] : [61, 25];
	const base: Case = {
		...PLAIN,
		operation: 'list',
		seed,
		isOdd: true,
		behavior,
		options: behavior.overLimit === 'hang' ? { timeout: TIMEOUT_SECONDS } : {},
	};
	return [
		{ ...base, clients, maxPageLimit, tokenRequests: 4 },
		{ ...base, clients: 61, filters: ['clientEmail', 'groupName', 'clientType', 'requestStatus'] },
		{ ...base, clients: 0, filters: seed % 2 ? ['clientType'] : [] },
		{ ...base, operation: 'find', clients },
		{ ...base, operation: 'find', clients, maxPageLimit, items: 3 },
		{ ...base, operation: 'count', clients, maxPageLimit, filters: seed % 3 ? [] : ['clientType'] },
		{ ...base, operation: 'listGroups', clients, maxPageLimit },
	];
}
