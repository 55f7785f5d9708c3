import { AXES, AXIS_NAMES, type AxisName, type Dialect } from '../../../sandbox/endpoints/dialect.mts';
import type { Random } from '../../support/random.mts';

const CANDIDATES = 20;

/** Dialects in which every reading of an axis meets every reading of every other axis at least once. */
export function coverPairs(random: Random): Dialect[] {
	const missing = new Set<string>();
	AXIS_NAMES.forEach((a, index) => {
		for (const b of AXIS_NAMES.slice(index + 1)) {
			for (const readingA of AXES[a].readings)
				for (const readingB of AXES[b].readings) missing.add(pair(a, readingA, b, readingB));
		}
	});
	const dialects: Dialect[] = [];
	while (missing.size > 0) {
		const candidates = Array.from({ length: CANDIDATES }, () => growDialect(missing, random));
		const [best] = candidates.sort((a, b) => countNew(b, missing) - countNew(a, missing));
		for (const found of pairsOf(best)) missing.delete(found);
		dialects.push(best);
	}
	return dialects;
}

export function drawDialect(random: Random): Dialect {
	return Object.fromEntries(AXIS_NAMES.map((axis) => [axis, random.one<string>(AXES[axis].readings)])) as Dialect;
}

/** Begins with a pair that is missing and gives each further axis the reading that brings the most missing pairs. */
function growDialect(missing: Set<string>, random: Random): Dialect {
	const chosen = Object.fromEntries(
		random
			.one([...missing])
			.split('&')
			.map((part) => part.split('=')),
	) as Partial<Dialect>;
	const rest = AXIS_NAMES.filter((axis) => !(axis in chosen)).sort(() => random.next() - 0.5);
	for (const axis of rest) {
		const gains = AXES[axis].readings.map((reading) => {
			const gain = Object.entries(chosen).filter(([other, value]) =>
				missing.has(pair(axis, reading, other as AxisName, value)),
			).length;
			return { reading, gain: gain + random.next() / 2 };
		});
		Object.assign(chosen, { [axis]: gains.sort((a, b) => b.gain - a.gain)[0].reading });
	}
	return chosen as Dialect;
}

function countNew(dialect: Dialect, missing: Set<string>): number {
	return pairsOf(dialect).filter((found) => missing.has(found)).length;
}

function pairsOf(dialect: Dialect): string[] {
	return AXIS_NAMES.flatMap((a, index) => AXIS_NAMES.slice(index + 1).map((b) => pair(a, dialect[a], b, dialect[b])));
}

function pair(a: AxisName, readingA: string, b: AxisName, readingB: string): string {
	const sides = [`${a}=${readingA}`, `${b}=${readingB}`];
	return (AXIS_NAMES.indexOf(a) < AXIS_NAMES.indexOf(b) ? sides : sides.reverse()).join('&');
}
