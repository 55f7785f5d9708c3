import { beforeAll, describe, expect, it } from '@jest/globals';
import { sleep } from 'n8n-workflow';
import { idsOf, startService } from '../../../support/service.mts';

describe('A list of 10,000 that rests', () => {
	// The first run of all is slow, as if the service were.
	beforeAll(async () => void (await (await startService()).engine.run()));

	it.each([
		{ overLimit: 'granted', consistency: 'exact', most: 2 },
		{ overLimit: 'granted', consistency: 'fast', most: 2 },
		{ overLimit: 'capped', consistency: 'exact', most: 2 * 100 + 5 },
		{ overLimit: 'capped', consistency: 'fast', most: 100 + 2 },
	] as const)('takes $most requests at most where large pages are $overLimit, $consistency', async (how) => {
		const service = await startService({ clients: 10_000, dialect: { overLimit: how.overLimit } });
		const parameters = { returnAll: true, options: { consistency: how.consistency } };
		// A busy machine makes the service look slow, and slow services are asked for smaller pages.
		let fewest = Infinity;
		for (let tries = 0; tries < 10 && fewest > how.most; tries++) {
			const before = service.listRequests().length;
			const { json, hints } = await service.engine.run({ parameters });
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual([]);
			fewest = Math.min(fewest, service.listRequests().length - before);
		}
		expect(fewest).toBeLessThanOrEqual(how.most);
	});
});

describe('Parallel requests', () => {
	it('make reading several times as fast where the service takes its time for an answer', async () => {
		const service = await startService({ clients: 2500, faults: [{ kind: 'latency', ms: 300 }] });
		const read = async (parallelRequests: number) => {
			const startedMs = Date.now();
			const { json } = await service.engine.run({
				parameters: { returnAll: true, options: { pageSize: 250, parallelRequests } },
			});
			expect(idsOf(json)).toEqual(service.ids());
			return Date.now() - startedMs;
		};
		const oneAtATimeMs = await read(1);
		expect(oneAtATimeMs / (await read(5))).toBeGreaterThan(1.8);
		expect(oneAtATimeMs / (await read(20))).toBeGreaterThan(2.5);
	});

	it('begin as soon as the first answer says how many clients there are', async () => {
		const underWay = new Set<string>();
		let together: string[] = [];
		const service = await startService({
			clients: 20_000,
			onRequest: async ({ endpoint, query }) => {
				const page = query.page_no;
				if (endpoint === 'list' && Number(query.page_limit) > 100) underWay.add(page);
				if (underWay.size > together.length) together = [...underWay];
				await sleep(200);
				underWay.delete(page);
			},
		});
		await service.engine.run({ parameters: { returnAll: true } });
		expect(together.slice(0, 3)).toEqual(['1', '2', '3']);
	});
});
