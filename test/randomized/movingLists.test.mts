import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from '../../sandbox/data/client.mts';
import { REQUEST_STATUSES } from '../../sandbox/data/client.mts';
import type { Behavior } from '../../sandbox/endpoints/behavior.mts';
import { SETTINGS } from '../../sandbox/endpoints/behavior.mts';
import { byDepth } from '../support/depth.mts';
import { Random } from '../support/random.mts';
import { idsOf, startService } from '../support/service.mts';
import { randomly } from './randomly.mts';

const MAX_PAGES = 40;
const PATIENCE_MS = 900_000;
const DAY_MS = 24 * 60 * 60 * 1000;

interface World {
	order: Behavior['order'];
	overLimit: Behavior['overLimit'];
	clients: number;
	maxPageLimit: number;
	parallelRequests: number;
	isFiltered: boolean;
	changes: Array<keyof typeof CHANGES>;
	/** The number of requests per change. */
	oneIn: number;
	seed: number;
}

const worlds: fc.Arbitrary<World> = fc
	.record({
		order: fc.constantFrom(...SETTINGS.order.behaviors),
		overLimit: fc.constantFrom('capped', 'capped', 'granted', 'refused-400'),
		pages: fc.integer({ min: 0, max: MAX_PAGES * 100 }),
		maxPageLimit: fc.constantFrom(100, 25, 30, 10),
		parallelRequests: fc.constantFrom(5, 1, 20),
		isFiltered: fc.boolean(),
		changes: fc.constantFrom<World['changes']>(
			// One client is removed and another one added, so the total stays the same.
			['swap'],
			['swap', 'setStatus'],
			['add'],
			['remove'],
			['swap', 'setStatus', 'add', 'remove'],
			['overtake'],
			['import', 'remove'],
		),
		oneIn: fc.constantFrom(200, 20, 5, 2, 1),
		seed: fc.nat(),
	})
	.map(({ pages, ...world }) => ({
		...world,
		clients: Math.min(400, Math.floor((pages / 100) * world.maxPageLimit)),
	}));

/** Changes of a list between two requests. */
const CHANGES = {
	swap: ({ add, remove }: Change) => {
		remove();
		add();
	},
	setStatus: ({ setStatus }: Change) => setStatus(),
	/** In the order of statuses, a client may move to a page that was read, while the total goes down because of another one. */
	overtake: ({ remove, setStatus }: Change) => {
		setStatus();
		remove();
	},
	import: ({ add }: Change) => {
		for (let count = 0; count < 15; count++) add();
	},
	add: ({ add }: Change) => add(),
	remove: ({ remove }: Change) => remove(),
};

interface Change {
	add(): void;
	remove(): void;
	setStatus(): void;
}

interface Outcome {
	returned: string[];
	/** Clients that matched from the first request to the last. */
	stayed: Set<string>;
	/** Clients that matched at any time. */
	everThere: Set<string>;
	isWarned: boolean;
}

async function readMovingList(world: World, options: object = {}): Promise<Outcome> {
	const random = new Random(world.seed);
	const stayed = new Set<string>();
	const everThere = new Set<string>();
	const matches = ({ request_status }: Client) => !world.isFiltered || request_status === 'Pending';
	const see = (client: Client, isFirstRequest: boolean) => {
		if (!matches(client)) return void stayed.delete(client.reference_id);
		everThere.add(client.reference_id);
		if (isFirstRequest) stayed.add(client.reference_id);
	};
	const service = await startService({
		clients: world.clients,
		behavior: { order: world.order, overLimit: world.overLimit },
		maxPageLimit: world.maxPageLimit,
		onRequest: ({ endpoint, count }) => {
			if (endpoint !== 'list') return;
			const { clients } = service.app.environment('sandbox');
			if (count === 1) for (const client of clients.all()) see(client, true);
			const one = () => clients.ids()[random.below(clients.size)];
			const change: Change = {
				add: () => {
					if (clients.size > world.clients + 100) return;
					const ageMs = random.chance(0.5) ? 0 : random.below(3_000) * DAY_MS;
					const created_at = new Date(Date.now() - ageMs).toISOString();
					see(clients.add({ created_at, request_status: random.one(REQUEST_STATUSES) }), false);
				},
				remove: () => {
					if (clients.size === 0) return;
					const id = one();
					clients.remove(id);
					stayed.delete(id);
				},
				setStatus: () => {
					if (clients.size > 0) see(clients.setStatus(one(), random.one(REQUEST_STATUSES)), false);
				},
			};
			if (count > 1 && random.below(world.oneIn) === 0) CHANGES[random.one(world.changes)](change);
		},
	});
	const { json, error, hints } = await service.engine.run({
		parameters: {
			returnAll: true,
			filters: world.isFiltered ? { requestStatus: ['pending'] } : {},
			options: { parallelRequests: world.parallelRequests, ...options },
		},
	});
	await service.close();
	expect(error).toBeUndefined();
	return { returned: idsOf(json), stayed, everThere, isWarned: hints.some((hint) => hint.includes(' may be missing')) };
}

function missingOf({ returned, stayed }: Outcome): string[] {
	const ids = new Set(returned);
	return [...stayed].filter((id) => !ids.has(id));
}

describe('A list that changes while it is read', () => {
	const rates = new Map<number, { runs: number; warnings: number }>();

	randomly('has every client that was there throughout, or a warning', {
		draw: worlds,
		runs: { quick: 30, deep: 300, long: 3_000 },
		block: 30,
		check: async (world) => {
			const outcome = await readMovingList(world);
			const rate = rates.get(world.oneIn) ?? { runs: 0, warnings: 0 };
			rates.set(world.oneIn, { runs: rate.runs + 1, warnings: rate.warnings + Number(outcome.isWarned) });
			expect(new Set(outcome.returned).size).toBe(outcome.returned.length);
			expect(outcome.returned.filter((id) => !outcome.everThere.has(id))).toEqual([]);
			if (!outcome.isWarned) expect(missingOf(outcome)).toEqual([]);
		},
	});

	it('has a warning in at most one of 100 runs if one request in 200 meets a change', () => {
		process.stdout.write(`\nMoving lists, by one change in so many requests: ${JSON.stringify([...rates])}\n`);
		const { runs, warnings } = rates.get(200) ?? { runs: 0, warnings: 0 };
		expect(warnings).toBeLessThanOrEqual(Math.ceil(runs / 100));
	});

	const LONG: World = {
		order: 'created-descending',
		overLimit: 'capped',
		clients: 1_000,
		maxPageLimit: 10,
		parallelRequests: 5,
		isFiltered: false,
		changes: ['swap', 'setStatus', 'add', 'remove'],
		oneIn: 2_000,
		seed: 1,
	};

	it.each(Array.from({ length: byDepth({ quick: 1, deep: 10, long: 100 }) }, (_, index) => index + 1))(
		'has no warning over 100 pages if one request in 2,000 meets a change (seed %i)',
		async (seed) => {
			const outcome = await readMovingList({ ...LONG, seed });
			expect(outcome.isWarned).toBe(false);
			expect(missingOf(outcome)).toEqual([]);
		},
		PATIENCE_MS,
	);

	it(
		'rarely misses a client without a warning in the fast read mode',
		async () => {
			const runs = byDepth({ quick: 5, deep: 50, long: 500 });
			const missed = { runs, withAnyMissing: 0, clients: 0, warned: 0 };
			for (const world of fc.sample(worlds, { seed: 1, numRuns: runs })) {
				const outcome = await readMovingList({ ...world, oneIn: 20 }, { consistency: 'fast' });
				const missing = outcome.isWarned ? 0 : missingOf(outcome).length;
				missed.withAnyMissing += Number(missing > 0);
				missed.clients += missing;
				missed.warned += Number(outcome.isWarned);
			}
			process.stdout.write(`\nFast read mode, one change in 20 requests: ${JSON.stringify(missed)}\n`);
			expect(missed.withAnyMissing).toBeLessThan(runs / 2);
		},
		PATIENCE_MS,
	);
});
