import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { aloneWithKey, demandOwnToken, exchangeNote } from '../../../../nodes/ClientOnboarding/service/tokens';
import { startService } from '../../../support/service.mts';

const CREDENTIAL = 'clientOnboardingApi';

/** A request for a page with these very credentials, as the node sends it. */
const request = (credentials: ICredentialDataDecryptedObject) => async (context: IExecuteFunctions) =>
	await context.helpers.httpRequestWithAuthentication.call(
		context,
		CREDENTIAL,
		{ url: '/api/v1/clients-list/', ignoreHttpStatusErrors: true },
		{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credentials } },
	);

describe('What is noted of an exchange', () => {
	it('explains the request that got no token, and none after it', async () => {
		const service = await startService();
		await service.engine.run();
		const stored = service.engine.stored();
		const credentials = { ...stored, apiKey: 'another' };
		service.app.schedule('status:code=503,endpoint=token');
		service.app.schedule('reset-before');
		await service.engine.send(request(credentials));
		expect(exchangeNote(credentials).trouble?.message).toMatch(/gave no access token \(status 503\)/);

		Object.assign(credentials, stored);
		expect((await service.engine.send(request(credentials))).error).toBeDefined();
		expect(service.listRequests().at(-1)?.bearer).toBe(stored.accessToken);
		expect(exchangeNote(credentials).trouble).toBeUndefined();
	});

	it('is gone when the next exchange begins', async () => {
		const service = await startService();
		const credentials = service.engine.stored();
		service.app.schedule('status:code=503,endpoint=token,times=1');
		await service.engine.send(request(credentials));
		expect(exchangeNote(credentials).trouble?.busy).toBeDefined();
		service.app.schedule('latency:ms=300,endpoint=token');
		const sent = service.engine.send(request(credentials));
		while (service.tokenRequests().length < 2) await sleep(5);
		expect(exchangeNote(credentials).trouble).toBeUndefined();
		expect((await sent).error).toBeUndefined();
	});

	it('is the own reason of each request that brings an object of its own', async () => {
		const service = await startService();
		await service.engine.run();
		service.app.schedule('status:code=503,endpoint=token');
		service.app.schedule('reset-before');
		const good = service.engine.stored();
		const wrong = { ...good, apiKey: 'wrong-key' };
		await Promise.all([good, wrong].map(async (credentials) => await service.engine.send(request(credentials))));
		expect(exchangeNote(good).trouble).toBeUndefined();
		expect(exchangeNote(wrong).trouble?.busy).toBeDefined();
	});
});

describe('A request that is alone with its key', () => {
	it('does not wait for itself where n8n asks twice for a token', async () => {
		const service = await startService();
		const credentials = service.engine.stored();
		demandOwnToken(credentials);
		const { error } = await service.engine.send(
			async (context) =>
				await aloneWithKey(credentials, async () => {
					await request(credentials)(context);
					credentials.accessTokenFor = '';
					return await request(credentials)(context);
				}),
		);
		expect(error).toBeUndefined();
		expect(service.tokenRequests()).toHaveLength(2);
	});
});
