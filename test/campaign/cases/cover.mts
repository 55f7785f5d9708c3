import { AXES, AXIS_NAMES, type AxisName, type Dialect } from '../../../sandbox/endpoints/dialect.mts';
import type { Random } from '../../support/random.mts';

const CANDIDATES = 20;
/** Each reading of each axis is known by its place here, and two of them by one number: there are millions to compare. */
const READINGS = AXIS_NAMES.flatMap((axis) => AXES[axis].readings.map((reading: string) => ({ axis, reading })));
const PLACES_OF = Object.fromEntries(
	AXIS_NAMES.map((axis) => [axis, [...READINGS.keys()].filter((place) => READINGS[place].axis === axis)]),
) as Record<AxisName, number[]>;

/** Dialects in which every reading of an axis meets every reading of every other axis at least once. */
export function coverPairs(random: Random): Dialect[] {
	const missing = new Set<number>();
	AXIS_NAMES.forEach((a, index) => {
		for (const b of AXIS_NAMES.slice(index + 1))
			for (const placeA of PLACES_OF[a]) for (const placeB of PLACES_OF[b]) missing.add(pair(placeA, placeB));
	});
	const dialects: Dialect[] = [];
	while (missing.size > 0) {
		const candidates = Array.from({ length: CANDIDATES }, () => growDialect(missing, random));
		const [best] = candidates.sort((a, b) => countNew(b, missing) - countNew(a, missing));
		for (const found of pairsOf(best)) missing.delete(found);
		dialects.push(Object.fromEntries(best.map((place) => [READINGS[place].axis, READINGS[place].reading])) as Dialect);
	}
	return dialects;
}

export function drawDialect(random: Random): Dialect {
	return Object.fromEntries(AXIS_NAMES.map((axis) => [axis, random.one<string>(AXES[axis].readings)])) as Dialect;
}

/** Begins with a pair that is missing and gives each further axis the reading that brings the most missing pairs. */
function growDialect(missing: Set<number>, random: Random): number[] {
	const first = random.one([...missing]);
	const chosen = [Math.floor(first / READINGS.length), first % READINGS.length];
	const begun = chosen.map((place) => READINGS[place].axis);
	const rest = AXIS_NAMES.filter((axis) => !begun.includes(axis)).sort(() => random.next() - 0.5);
	for (const axis of rest) {
		const gains = PLACES_OF[axis].map((place) => {
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
	return Math.min(a, b) * READINGS.length + Math.max(a, b);
}
