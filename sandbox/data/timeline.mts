import { REQUEST_STATUSES } from './client.mts';

// Read once: in jest's contexts, access to a global costs far more than the rounding.
const { ceil, floor, min } = Math;

/** When clients were created, in the order of their indexes, and their status since then. */
export interface Timeline {
	createdMicros: (index: number) => number;
	requestStatus: (index: number) => string;
}

/** Random numbers below 2 ** 31. */
export interface TimelineDraws {
	import: (batch: number) => number;
	instant: (slot: number) => number;
	status: (index: number) => number;
}

export interface RecentYear {
	/** How many clients it is spread over. */
	count: number;
	untilMs: number;
}

const DRAW_RANGE = 2 ** 31;
const DAY_MICROS = 86_400_000_000;
const IMPORT_SIZE = 8;

// An imported batch shares one instant, so created_at does not identify a client.
function findSlot(draws: TimelineDraws, index: number) {
	const batch = floor(index / IMPORT_SIZE);
	return draws.import(batch) % 10 === 0 ? batch * IMPORT_SIZE : index;
}

/** In percent, Pending, Declined, Completed, Accepted, Requested. */
function spreadShares(...shares: [number, number, number, number, number]) {
	return REQUEST_STATUSES.flatMap((status, index) => Array.from({ length: shares[index] }, () => status));
}

const STATUSES = spreadShares(15, 8, 45, 20, 12);
const FIRST_CREATED_MICROS = Date.UTC(2024, 0, 1) * 1000;
const STEP_MICROS = 61_000_000;

/** The same on every day and for every number of clients. */
export function createSteadyTimeline(draws: TimelineDraws): Timeline {
	return {
		createdMicros(index) {
			const slot = findSlot(draws, index);
			return FIRST_CREATED_MICROS + slot * STEP_MICROS + (draws.instant(slot) % STEP_MICROS);
		},
		requestStatus: (index) => STATUSES[draws.status(index) % 100],
	};
}

/** A few of the oldest are still pending, so that reminders have clients to find. */
const AGES = [
	{ fromMicros: 90 * DAY_MICROS, statuses: spreadShares(3, 15, 73, 7, 2) },
	{ fromMicros: 30 * DAY_MICROS, statuses: spreadShares(6, 13, 62, 15, 4) },
	{ fromMicros: 7 * DAY_MICROS, statuses: spreadShares(20, 8, 28, 32, 12) },
	{ fromMicros: DAY_MICROS, statuses: spreadShares(36, 4, 8, 24, 28) },
];
const STATUSES_OF_LAST_DAY = spreadShares(45, 0, 0, 5, 50);

const YEAR_MICROS = 365 * DAY_MICROS;
const HIGHEST_NEWEST_AGE_MICROS = 7_200_000_000;
/** From one client to the next at the end of the year, beside the mean of the whole year. */
const FINAL_PACE = 0.25;

/** Clients are created faster and faster. The newest one is recent even if there are few. */
export function createRecentTimeline(draws: TimelineDraws, { count, untilMs }: RecentYear): Timeline {
	const untilMicros = floor(untilMs * 1000);
	const newest = count - 1;
	const ageMicrosAt = (share: number) => YEAR_MICROS * share * (FINAL_PACE + (1 - FINAL_PACE) * share);
	const newestRangeMicros = min(ageMicrosAt(1 / count), HIGHEST_NEWEST_AGE_MICROS);
	const fractionOf = (slot: number) => draws.instant(slot) / DRAW_RANGE;

	function ageMicros(index: number) {
		// Clients generated beyond the count would be created in the future.
		if (index >= newest) return ceil(newestRangeMicros * fractionOf(newest));
		const slot = findSlot(draws, index);
		return ceil(ageMicrosAt((newest - slot + fractionOf(slot)) / count));
	}

	return {
		createdMicros: (index) => untilMicros - ageMicros(index),
		requestStatus(index) {
			const age = ageMicros(index);
			const statuses = AGES.find(({ fromMicros }) => age >= fromMicros)?.statuses ?? STATUSES_OF_LAST_DAY;
			return statuses[draws.status(index) % 100];
		},
	};
}
