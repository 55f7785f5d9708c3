import { SETTINGS, SETTING_NAMES, type SettingName, type Behavior } from '../../../sandbox/endpoints/behavior.mts';
import type { Random } from '../../support/random.mts';
import { isBreaking, PLAIN, type Case } from './cases.mts';

const CANDIDATES = 20;
/** A behavior is identified by its index here, and a pair of behaviors by one number. */
const BEHAVIORS = SETTING_NAMES.flatMap((setting) =>
	SETTINGS[setting].behaviors.map((behavior: string) => ({ setting, behavior })),
);
const PLACES_OF = Object.fromEntries(
	SETTING_NAMES.map((setting) => [
		setting,
		[...BEHAVIORS.keys()].filter((place) => BEHAVIORS[place].setting === setting),
	]),
) as Record<SettingName, number[]>;

/** Settings of the service in which every behavior is combined with every behavior of every other setting at least once. */
export function coverPairs(random: Random): Behavior[] {
	const missing = new Set<number>();
	SETTING_NAMES.forEach((a, index) => {
		for (const b of SETTING_NAMES.slice(index + 1))
			for (const placeA of PLACES_OF[a]) for (const placeB of PLACES_OF[b]) missing.add(pair(placeA, placeB));
	});
	const behaviors: Behavior[] = [];
	while (missing.size > 0) {
		const candidates = Array.from({ length: CANDIDATES }, () => growBehavior(missing, random));
		const [best] = candidates.sort((a, b) => countNew(b, missing) - countNew(a, missing));
		for (const found of pairsOf(best)) missing.delete(found);
		behaviors.push(
			Object.fromEntries(best.map((place) => [BEHAVIORS[place].setting, BEHAVIORS[place].behavior])) as Behavior,
		);
	}
	return behaviors;
}

/** Every operation with these settings: in several pages with tokens that expire, filtered, and with no clients. */
export function casesFor(behavior: Behavior, random: Random): Case[] {
	const [clients, maxPageLimit] = isBreaking(behavior) ? [130, 100] : [61, 25];
	const base: Case = {
		...PLAIN,
		part: 'list',
		seed: random.below(2 ** 31),
		isOdd: true,
		behavior,
		options: behavior.overLimit === 'hang' ? { timeout: 1 } : {},
	};
	return [
		{ ...base, clients, maxPageLimit, tokenRequests: 4 },
		{ ...base, clients: 61, filters: ['clientEmail', 'groupName', 'clientType', 'requestStatus'] },
		{ ...base, clients: 0, filters: random.some(['clientType'], 0.5) },
		{ ...base, part: 'find', clients },
		{ ...base, part: 'items', clients, maxPageLimit, items: 3 },
		{ ...base, part: 'count', clients, maxPageLimit, filters: random.some(['clientType', 'requestStatus'], 0.3) },
		{ ...base, part: 'listGroups', clients, maxPageLimit },
	];
}

/** Starts with a missing pair and gives each further setting the behavior that covers the most missing pairs. */
function growBehavior(missing: Set<number>, random: Random): number[] {
	const first = random.one([...missing]);
	const chosen = [Math.floor(first / BEHAVIORS.length), first % BEHAVIORS.length];
	const begun = chosen.map((place) => BEHAVIORS[place].setting);
	const rest = SETTING_NAMES.filter((setting) => !begun.includes(setting)).sort(() => random.next() - 0.5);
	for (const setting of rest) {
		const gains = PLACES_OF[setting].map((place) => {
			const gain = chosen.filter((other) => missing.has(pair(place, other))).length;
			return { place, gain: gain + random.next() / 2 };
		});
		chosen.push(gains.sort((a, b) => b.gain - a.gain)[0].place);
	}
	return chosen;
}

function countNew(places: number[], missing: Set<number>): number {
	return pairsOf(places).filter((found) => missing.has(found)).length;
}

function pairsOf(places: number[]): number[] {
	return places.flatMap((a, index) => places.slice(index + 1).map((b) => pair(a, b)));
}

function pair(a: number, b: number): number {
	return Math.min(a, b) * BEHAVIORS.length + Math.max(a, b);
}
