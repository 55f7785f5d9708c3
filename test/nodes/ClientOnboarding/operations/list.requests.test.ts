import { beforeAll, describe, expect, it } from '@jest/globals';
import { Crowd } from '../../../support/crowd.mts';
import { byDepth } from '../../../support/depth.mts';
import { idsOf, startService } from '../../../support/service.mts';

// The first run of all is slow, as if the service were.
beforeAll(async () => void (await (await startService()).engine.run()));

const MANY = byDepth({ quick: 2_000, deep: 10_000, long: 10_000 });
const PAGES = MANY / 100;

describe(`A list of ${MANY.toLocaleString('en')} clients`, () => {
	it.each([
		{ overLimit: 'granted', consistency: 'exact', requests: 2 },
		{ overLimit: 'granted', consistency: 'fast', requests: 2 },
		{ overLimit: 'capped', consistency: 'exact', requests: 2 * PAGES + 3 },
		{ overLimit: 'capped', consistency: 'fast', requests: PAGES + 2 },
	] as const)(
		'takes $requests requests when large pages are $overLimit ($consistency)',
		async ({ overLimit, consistency, requests }) => {
			const service = await startService({ clients: MANY, behavior: { overLimit } });
			const { json, hints } = await service.engine.run({ parameters: { returnAll: true, options: { consistency } } });
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual([]);
			expect(service.listRequests()).toHaveLength(requests);
		},
	);
});

describe('A list whose last page is full', () => {
	it.each(['404', '400', '204', 'bare-404', 'data-null', 'results-null'] as const)(
		'needs no second token to see its end (%s)',
		async (beyondLast) => {
			const service = await startService({ clients: 150, behavior: { beyondLast } });
			const { json } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 50 } } });
			expect(idsOf(json)).toEqual(service.ids());
			// Two passes over three pages, each with a look at the fourth.
			expect(service.listRequests()).toHaveLength(8);
			expect(service.tokenRequests()).toHaveLength(1);
		},
	);
});

describe('Parallel requests', () => {
	it.each([1, 5, 20])('are as many as the option allows and never more (%i)', async (parallelRequests) => {
		const crowd = new Crowd(parallelRequests);
		const service = await startService({
			clients: 1500,
			onRequest: async ({ query }) => {
				if (Number(query.page_no) > 1) await crowd.join();
			},
		});
		await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 50, parallelRequests } } });
		expect(crowd.most).toBe(parallelRequests);
	});
});
