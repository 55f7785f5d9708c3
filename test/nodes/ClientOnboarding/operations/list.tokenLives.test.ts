import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oneOf } from '../../../support/depth.mts';
import { Engine } from '../../../support/engine.mts';
import { pauses } from '../../../support/haste.mts';
import { sandboxCredential, startService } from '../../../support/service.mts';
import { expectAllClients, pagesOf } from '../../../support/wholeList.mts';

const LIVES = {
	'300 ms': { tokenLifetimeSeconds: 0.3, faults: ['latency:ms=120'] },
	'25 requests': { tokenRequests: 25 },
	'4 requests': { tokenRequests: 4 },
	'2 requests': { tokenRequests: 2 },
	'the time until the next token request': { singleToken: true },
};
const PARALLEL = oneOf(3, [5, 1, 20]);

describe.each(Object.entries(LIVES))('A token that lives for %s', (_life, settings) => {
	it.each(PARALLEL)('lets one execution list all clients with %i parallel requests', async (parallelRequests) => {
		const service = await startService({ clients: 120, ...settings });
		expectAllClients(await service.engine.run({ parameters: pagesOf(10, parallelRequests) }), service);
		if (!('singleToken' in settings)) expect(service.tokenRequests().length).toBeGreaterThan(1);
	});
});

describe.each(Object.entries(LIVES))('A token that lives for %s', (_life, settings) => {
	const { divisor } = pauses;
	// Executions that use up each other's tokens give way by pausing. With shorter pauses they meet again.
	beforeAll(() => void (pauses.divisor = 1));
	afterAll(() => void (pauses.divisor = divisor));

	it.each(PARALLEL)(
		'lets four executions at once list all clients with %i parallel requests',
		async (parallelRequests) => {
			const service = await startService({ clients: 120, ...settings });
			const parameters = pagesOf(10, parallelRequests);
			const runs = await Promise.all(Array.from({ length: 4 }, async () => await service.engine.run({ parameters })));
			for (const run of runs) expectAllClients(run, service);
		},
	);
});

describe('A token that ends with the next token request', () => {
	it('lets an execution list all clients while another program requests tokens', async () => {
		const service = await startService({
			clients: 500,
			singleToken: true,
			onRequest: ({ endpoint, count }) => {
				if (endpoint === 'list' && count % 4 === 0) service.app.environment('sandbox').tokens.issue();
			},
		});
		expectAllClients(await service.engine.run({ parameters: pagesOf(25, 1) }), service);
	});

	it('lets two n8n instances with the same key list all clients at once', async () => {
		const service = await startService({ clients: 300, singleToken: true });
		const { url, apiKey } = service.environments.sandbox;
		const other = new Engine(sandboxCredential(url, apiKey));
		const parameters = pagesOf(25, 5);
		const runs = await Promise.all([service.engine.run({ parameters }), other.run({ parameters })]);
		for (const run of runs) expectAllClients(run, service);
	});
});
