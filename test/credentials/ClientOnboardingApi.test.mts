import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { injectDomainRestrictionFields } from 'n8n-workflow';
import { ClientOnboardingApi } from '../../credentials/ClientOnboardingApi.credentials';
import { SETTINGS } from '../../sandbox/endpoints/behavior.mts';
import type { SandboxOptions } from '../../sandbox/server.mts';
import { createSelfSigned, trust } from '../../tools/network/certificate.mts';
import { startService, type Service } from '../support/service.mts';

const LIST = '/api/v1/clients-list/';
const CREDENTIAL = 'clientOnboardingApi';
const KEY_NOT_ACCEPTED = /^127\.0\.0\.1:\d+ does not accept the API key \(401\)\. .*under Settings > API credentials$/;

/** As n8n's HTTP Request node does it, and as nodes in general do. */
const WAYS: Record<
	string,
	(url: string, options?: Partial<IHttpRequestOptions>) => (context: IExecuteFunctions) => Promise<unknown>
> = {
	requestWithAuthentication: (uri, options) => async (context) =>
		await context.helpers.requestWithAuthentication.call(context, CREDENTIAL, {
			method: 'GET',
			uri,
			json: true,
			...options,
		} as never),
	httpRequestWithAuthentication: (url, options) => async (context) =>
		await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, { url, json: true, ...options }),
};

describe('The list of credential types', () => {
	it('offers the credential to the HTTP Request node of n8n', () => {
		const listed = JSON.parse(JSON.stringify({ ...new ClientOnboardingApi() }));
		expect(listed).toMatchObject({ name: CREDENTIAL, authenticate: {} });
	});

	it('has no field for allowed domains because the token is sent to the base URL only', () => {
		const { properties } = new ClientOnboardingApi();
		expect(injectDomainRestrictionFields(new ClientOnboardingApi())).toEqual(properties);
		expect(properties.find(({ name }) => name === 'allowedHttpRequestDomains')?.type).toBe('hidden');
	});
});

describe.each(Object.entries(WAYS))('The credential used by another node through %s', (_name, request) => {
	it('requests a token, sends it and refreshes it after a 401', async () => {
		const service = await startService({ clients: 3 });
		const { url } = service.environments.sandbox;
		expect((await service.engine.send(request(`${url}${LIST}`))).error).toBeUndefined();
		service.app.environment('sandbox').tokens.revokeAll();
		const { json, error } = await service.engine.send(request(`${url}${LIST}`));
		expect(error).toBeUndefined();
		expect(json[0].answer).toMatchObject({ status_code: 200, data: { total_count: 3 } });
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('accepts a URL with an upper-case scheme', async () => {
		const service = await startService();
		const { url } = service.environments.sandbox;
		const { error } = await service.engine.send(request(`${url.replace('http:', 'HTTP:')}${LIST}?page_limit=1`));
		expect(error).toBeUndefined();
		expect(service.listRequests()).toHaveLength(1);
	});

	it('sends no token to another host', async () => {
		const service = await startService();
		const other = await startService();
		const { error } = await service.engine.send(request(`${other.environments.sandbox.url}${LIST}`));
		expect(error?.message).toMatch(/This credential is only for requests to http:\/\/127\.0\.0\.1/);
		expect(other.requests).toEqual([]);
	});

	it('sends no token to a URL that only starts like the base URL', async () => {
		const service = await startService({
			onAnswer: ({ path }, answer) => {
				if (path !== '/tenant/api/v1/generate-access-token/') return;
				Object.assign(answer, { status: 200, body: { status_code: 200, data: { access_token: 'a-token' } } });
			},
		});
		const { url } = service.environments.sandbox;
		service.engine.edit({ sandboxBaseUrl: `${url}/tenant` });
		for (const target of [
			`${url}0/tenant${LIST}`,
			`${url}@127.0.0.2/tenant${LIST}`,
			`${url}\\@127.0.0.2/tenant${LIST}`,
			`${url}/tenant2${LIST}`,
			`${url}/tenant/..${LIST}`,
			`${url}/tenant/%2E%2e${LIST}`,
			'tenant',
		]) {
			const { error } = await service.engine.send(request(target));
			expect(error?.message).toMatch(/This credential is only for/);
		}
		expect(service.listRequests()).toEqual([]);
	});

	it('sends no token to the target of a redirect', async () => {
		const other = await startService();
		const service = await startService({
			faults: [{ kind: 'redirect', location: `${other.environments.sandbox.url}${LIST}` }],
		});
		const { error } = await service.engine.send(request(`${service.environments.sandbox.url}${LIST}`));
		expect(error).toBeDefined();
		expect(other.requests).toEqual([]);
	});

	it('sends no old token after the environment was changed', async () => {
		const service = await startTrusted();
		service.engine.edit({
			environment: 'production',
			productionBaseUrl: service.environments.production.url,
			apiKey: service.environments.production.apiKey,
		});
		await service.engine.send(request(`${service.environments.production.url}${LIST}`));
		const oldToken = service.requests.at(-1)?.bearer;
		expect(oldToken).toBeTruthy();

		service.engine.edit({ environment: 'sandbox', apiKey: service.environments.sandbox.apiKey });
		service.requests.length = 0;
		const { error } = await service.engine.send(request(`${service.environments.sandbox.url}${LIST}`));
		expect(error).toBeUndefined();
		expect(service.requests.map(({ environment, endpoint }) => `${environment} ${endpoint}`)).toEqual([
			'sandbox token',
			'sandbox list',
		]);
		expect(service.requests.filter(({ bearer }) => bearer === oldToken)).toEqual([]);
	});
});

describe('The node after an edit of the credential', () => {
	it('sends neither the old token nor the old key to the new environment', async () => {
		const service = await startTrusted({ clients: 4, productionClients: 6 });
		const { production, sandbox } = service.environments;
		service.engine.edit({ environment: 'production', productionBaseUrl: production.url, apiKey: production.apiKey });
		expect((await service.engine.run()).json).toHaveLength(6);
		const oldToken = service.requests.at(-1)?.bearer;

		service.engine.edit({ environment: 'sandbox', apiKey: sandbox.apiKey });
		service.requests.length = 0;
		expect((await service.engine.run()).json).toHaveLength(4);
		expect(service.requests.every(({ environment }) => environment === 'sandbox')).toBe(true);
		expect(
			service.requests.filter(({ bearer, apiKey }) => bearer === oldToken || apiKey === production.apiKey),
		).toEqual([]);
		expect(service.tokenRequests()).toHaveLength(1);
	});
});

describe('The node', () => {
	it('fails without a retry when a run starts with an untrusted TLS certificate', async () => {
		const service = await startTrusted({ productionClients: 3 });
		const { url: productionBaseUrl, apiKey } = service.environments.production;
		service.engine.edit({ environment: 'production', productionBaseUrl, apiKey });
		expect((await service.engine.run()).json).toHaveLength(3);
		distrust();
		service.requests.length = 0;
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(/^Could not reach 127\.0\.0\.1:\d+: its TLS certificate is self-signed$/);
		expect(service.requests).toEqual([]);
	});
});

describe('Testing the credential', () => {
	it('succeeds with one token request when the key is accepted and the list can be read', async () => {
		const service = await startService();
		expect(await service.engine.testCredential()).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(service.tokenRequests()).toHaveLength(1);
		expect(service.listRequests()).toHaveLength(1);
		expect(service.listRequests()[0].headers).not.toHaveProperty('x-client-onboarding-credential-test');
	});

	it('requests a token of its own even if the stored token works', async () => {
		const service = await startService();
		await service.engine.run();
		await service.engine.testCredential();
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('rejects a wrong key even if the stored token still works', async () => {
		const service = await startService();
		await service.engine.run();
		const verdict = await service.engine.testCredential({ apiKey: 'wrong-key' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(KEY_NOT_ACCEPTED);
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('rejects a key that was revoked a moment ago', async () => {
		const service = await startService();
		expect((await service.engine.testCredential()).status).toBe('OK');
		service.app.schedule('status:code=401,endpoint=token');
		expect((await service.engine.testCredential()).message).toMatch(KEY_NOT_ACCEPTED);
	});

	it.each([
		['html', /^\S+ returned a web page \(status 200\) instead of an access/],
		['html:code=403', /^\S+ returned a web page \(status 403\) instead/],
		['wrong-envelope', /^\S+ returned unexpected data \(status 200\) instead/],
		['empty:code=204', /^\S+ returned an empty response \(status 204\)/],
		['redirect:location=http://127.0.0.2:1/', /returned a redirect to another address \(status 302\).*"Sandbox Base/],
		[
			'status:code=404',
			/^\S+ returned no access token \(status 404\)\. Check the API key and "Sandbox Base URL" in the cr/,
		],
		['html:code=502', /^\S+ is unavailable and returned no access token \(status 502\)\. Try again later$/],
		['truncated', /^\S+ is unavailable and returned no access token \(status 200\)\. Try again later$/],
		['rate-limit-bare', /^Rate limit reached on \S+ \(429\): no access token\. Try again later$/],
	])('reports the response of the token endpoint when it has the fault %s', async (fault, message) => {
		const service = await startService();
		service.app.schedule(`${fault}${fault.includes(':') ? ',' : ':'}endpoint=token`);
		const verdict = await service.engine.testCredential();
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	it.each([
		['status:code=401', /no permission to list clients/],
		['status:code=403', /no permission to list clients/],
		['html', /returned no list of clients/],
		['wrong-envelope', /returned no list of clients/],
		['status:code=500', /list of clients is unavailable \(status 500\)/],
	])(
		'says that the key works but the list does not when the list endpoint has the fault %s',
		async (fault, message) => {
			const service = await startService({ faults: [fault] });
			const verdict = await service.engine.testCredential();
			expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		},
	);

	it.each(['envelope-401', '403'] as const)(
		'says that the key may not list clients when the list refuses the token by %s',
		async (tokenRefusal) => {
			const service = await startService({
				behavior: { tokenRefusal },
				onRequest: ({ endpoint, environment }) => {
					if (endpoint === 'list') service.app.environment(environment).tokens.revokeAll();
				},
			});
			expect((await service.engine.testCredential()).message).toMatch(/no permission to list clients/);
		},
	);

	it.each(['hang', 'dribble:ms=1000'])('gives the list endpoint 30 seconds when it has the fault %s', async (fault) => {
		const service = await startService({ faults: [fault] });
		const { timeout } = AbortSignal;
		const clock = jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((ms) => timeout.call(AbortSignal, ms === 31_000 ? 300 : ms));
		try {
			expect(await service.engine.testCredential()).toEqual({ status: 'Error', message: 'ERR_CANCELED' });
		} finally {
			clock.mockRestore();
		}
	});

	it("also sets n8n's own timeout to 30 seconds", async () => {
		const { engine } = await startService();
		const { test, authenticate, preAuthentication } = new ClientOnboardingApi();
		const credentials = engine.stored();
		const { error } = await engine.send(async (context) => {
			Object.assign(credentials, await preAuthentication.call(context as never, credentials));
		});
		expect(error).toBeUndefined();
		const options = { url: LIST, timeout: 300_000 };
		expect(await authenticate(credentials, { ...options })).toMatchObject({ timeout: 300_000 });
		const { headers } = test.request;
		expect(await authenticate(credentials, { ...options, headers })).toMatchObject({ timeout: 30_000 });
	});

	it('says that the connection was refused when nothing listens at the address', async () => {
		const service = await startService();
		await service.close();
		expect((await service.engine.testCredential()).message).toMatch(
			/^Could not get an access token from 127\.0\.0\.1:\d+: the connection was refused\. Check "Sandbox Base URL" in the cred/,
		);
	});

	it('says that the connection was closed when the token endpoint resets it', async () => {
		const service = await startService();
		service.app.schedule('reset-before:endpoint=token');
		expect((await service.engine.testCredential()).message).toMatch(
			/^Could not get an access token from 127\.0\.0\.1:\d+: the connection was closed before the response was complete\./,
		);
	});

	it('names a host that does not exist', async () => {
		const service = await startService();
		const verdict = await service.engine.testCredential({ sandboxBaseUrl: 'http://no-such-host.invalid' });
		expect(verdict.message).toMatch(
			/^Could not get an access token from no-such-host\.invalid: (the host name was not found \(DNS\)|the DNS lookup is temporarily unavailable)\./,
		);
	});

	it.each(['/wrong/path/', '/api/'])('names the address when the base URL ends in %s', async (path) => {
		const service = await startService();
		const { host, href } = new URL(path, service.environments.sandbox.url);
		const place = `${host}${path.replace(/\/$/, '')}`;
		expect((await service.engine.testCredential({ sandboxBaseUrl: href })).message).toBe(
			`${place} returned no access token (status 404). Check the API key and "Sandbox Base URL" in the credential`,
		);
	});

	it('rejects a TLS certificate that is self-signed', async () => {
		const service = await startService({ tls: await createSelfSigned() });
		const { url, apiKey } = service.environments.production;
		const verdict = await service.engine.testCredential({ environment: 'production', productionBaseUrl: url, apiKey });
		expect(verdict.message).toMatch(
			/^Could not get an access token from \S+: its TLS certificate is self-signed\. Check "Production Base URL"/,
		);
		expect(service.requests).toEqual([]);
	});

	it('names https when the service uses http only', async () => {
		const service = await startService();
		const { url, apiKey } = service.environments.production;
		const verdict = await service.engine.testCredential({
			environment: 'production',
			productionBaseUrl: url.replace('http:', 'https:'),
			apiKey,
		});
		expect(verdict.message).toMatch(
			/^Could not get an access token from \S+: it does not support HTTPS, or uses a TLS version that n8n does not support\. Check/,
		);
	});

	it.each([
		[{ apiKey: '' }, /Fill in "API Key"/],
		[{ sandboxBaseUrl: '' }, /Fill in "Sandbox Base URL"/],
		[{ sandboxBaseUrl: 'localhost:4010' }, /"Sandbox Base URL" must start with https:\/\/ or http:\/\//],
	])('names the field when the credential has %j', async (changes, message) => {
		const service = await startService();
		const verdict = await service.engine.testCredential(changes);
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		expect(service.requests).toEqual([]);
	});
});

describe('Testing the credential while a token is requested elsewhere', () => {
	const WRONG = { apiKey: 'wrong-key' };

	/** A service whose stored token has just been revoked, and whose token endpoint is slow. */
	async function startWithRevokedToken(): Promise<Service> {
		const service = await startService();
		await service.engine.run();
		service.app.environment('sandbox').tokens.revokeAll();
		service.app.schedule('latency:ms=300,endpoint=token');
		service.requests.length = 0;
		return service;
	}

	it('succeeds while a run requests a token', async () => {
		const service = await startWithRevokedToken();
		const running = service.engine.run();
		while (service.tokenRequests().length === 0) await sleep(5);
		expect(await service.engine.testCredential()).toMatchObject({ status: 'OK' });
		expect((await running).error).toBeUndefined();
	});

	it('succeeds in two tests at once', async () => {
		const service = await startWithRevokedToken();
		const tests = ['first', 'second'].map(async () => await service.engine.testCredential());
		expect((await Promise.all(tests)).map(({ status }) => status)).toEqual(['OK', 'OK']);
	});

	it.each([
		['an older token', {}],
		['a token of another key', { accessTokenFor: 'another' }],
	])('requests a token of its own right after a run requested one when it holds %s', async (_what, changes) => {
		const service = await startWithRevokedToken();
		const older = service.engine.stored();
		await service.engine.run();
		expect(await service.engine.testCredential({ ...older, ...changes })).toMatchObject({ status: 'OK' });
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('rejects a wrong key while and after a run requests a token with the right key', async () => {
		const service = await startWithRevokedToken();
		const running = service.engine.run();
		while (service.tokenRequests().length === 0) await sleep(5);
		const [wrong, right] = await Promise.all([service.engine.testCredential(WRONG), service.engine.testCredential()]);
		expect(right).toMatchObject({ status: 'OK' });
		expect(wrong.message).toMatch(KEY_NOT_ACCEPTED);
		await running;
		expect((await service.engine.testCredential(WRONG)).message).toMatch(KEY_NOT_ACCEPTED);
	});

	it('rejects a key that was revoked after its last token request although that token still works', async () => {
		const service = await startWithRevokedToken();
		const older = service.engine.stored();
		await service.engine.run();
		service.app.schedule('status:code=401,endpoint=token');
		expect((await service.engine.testCredential(older)).message).toMatch(KEY_NOT_ACCEPTED);
	});
});

describe('The token request', () => {
	/** A service whose token endpoint responds to GET and POST with these statuses, the second one of a pair in the envelope. */
	async function startWithResponses(responses: Partial<Record<string, readonly [status: number, inEnvelope: number]>>) {
		return await startService({
			onAnswer: ({ endpoint, method }, answer) => {
				const response = responses[method];
				if (endpoint !== 'token' || !response) return;
				const [status, status_code] = response;
				Object.assign(answer, { status, body: { status_code, message: 'No', data: null } });
			},
		});
	}

	const methodsOf = (service: Service) => service.tokenRequests().map(({ method }) => method);

	it('accepts an API key with spaces around it', async () => {
		const service = await startService({ clients: 2 });
		service.engine.edit({ apiKey: `  ${service.environments.sandbox.apiKey}\n` });
		expect((await service.engine.run()).json).toHaveLength(2);
	});

	it.each(SETTINGS.wrongMethod.behaviors)('is sent by POST when GET is refused by %s', async (wrongMethod) => {
		const service = await startService({ clients: 2, behavior: { tokenMethod: 'POST', wrongMethod } });
		expect((await service.engine.testCredential()).status).toBe('OK');
		expect(methodsOf(service)).toEqual(['GET', 'POST']);
		expect((await service.engine.run()).json).toHaveLength(2);
	});

	it.each([
		['an empty response', 200, ''],
		['a cut-off response', 200, '{"status_code": 200, "da'],
		['a 408', 408, { status_code: 408, message: 'Timeout', data: null }],
	])('is sent by POST after %s to GET', async (_what, status, body) => {
		const service = await startService({
			behavior: { tokenMethod: 'POST' },
			onAnswer: ({ endpoint, method }, answer) => {
				if (endpoint === 'token' && method === 'GET') Object.assign(answer, { status, body });
			},
		});
		expect((await service.engine.testCredential()).status).toBe('OK');
		expect(methodsOf(service)).toEqual(['GET', 'POST']);
	});

	it.each([
		['a 401', [401, 401]],
		['a 401 in the envelope', [200, 401]],
		['a 429', [429, 429]],
		['a 429 in the envelope', [200, 429]],
		['a 500', [500, 500]],
		['a 503 in the envelope', [200, 503]],
		['a 505', [505, 505]],
	] as const)('is not sent by POST after %s', async (_what, response) => {
		const service = await startWithResponses({ GET: response });
		expect((await service.engine.testCredential()).status).toBe('Error');
		expect(methodsOf(service)).toEqual(['GET']);
	});

	it.each([
		[
			'a 403, if POST gives a 404',
			[403, 403],
			[404, 404],
			/^\S+ returned no access token \(status 403\)\. Check the API/,
		],
		['a 405 in the envelope, if POST gives a 400', [200, 405], [400, 400], /returned no access token \(status 405\)\./],
		['a 501, if POST gives a 501', [501, 501], [501, 501], /returned no access token \(status 501\)\./],
	] as const)('reports the response to GET: %s', async (_what, GET, POST, message) => {
		const service = await startWithResponses({ GET, POST });
		expect((await service.engine.testCredential()).message).toMatch(message);
		expect(methodsOf(service)).toEqual(['GET', 'POST']);
	});

	it.each([
		['by status', [401, 401]],
		['in the envelope', [200, 401]],
	] as const)('reports the response to POST if it is a 401 %s', async (_where, POST) => {
		const service = await startWithResponses({ GET: [403, 403], POST });
		expect((await service.engine.testCredential()).message).toMatch(KEY_NOT_ACCEPTED);
	});

	it.each([undefined, '', 17, 'with space', null])('does not accept %j as a token', async (token) => {
		const service = await startService({
			onAnswer: ({ endpoint }, answer) => {
				if (endpoint === 'token')
					Object.assign(answer, { body: { status_code: 200, message: 'ok', data: { access_token: token } } });
			},
		});
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(/^\S+ returned no access token \(status 200\)\./);
		expect(service.listRequests()).toEqual([]);
	});

	describe('of a service that never completes its response', () => {
		const FAULTS = ['hang', 'dribble:ms=100'];
		const TIMEOUT = /^Could not get an access token from \S+: no complete response in time \(timeout\)\. Check "Sandbo/;

		async function startSlow(fault: string): Promise<Service> {
			const service = await startService({ clients: 2 });
			service.app.schedule(`${fault}${fault.includes(':') ? ',' : ':'}endpoint=token`);
			return service;
		}

		/** Only timeouts of this length are shortened, so that any other one exceeds the time of the test. */
		async function shorten<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
			const { timeout } = AbortSignal;
			const clock = jest
				.spyOn(AbortSignal, 'timeout')
				.mockImplementation((ms) => timeout.call(AbortSignal, ms === timeoutMs ? 300 : 600_000));
			try {
				return await work();
			} finally {
				clock.mockRestore();
			}
		}

		it.each(FAULTS)('ends after 30 seconds in a credential test (%s)', async (fault) => {
			const service = await startSlow(fault);
			const verdict = await shorten(30_000, async () => await service.engine.testCredential());
			expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(TIMEOUT) });
		});

		it('ends after 30 seconds in the HTTP Request node', async () => {
			const service = await startSlow('hang');
			const request = WAYS.httpRequestWithAuthentication(`${service.environments.sandbox.url}${LIST}`);
			const { error } = await shorten(30_000, async () => await service.engine.send(request));
			expect(error?.message).toMatch(TIMEOUT);
		});

		it.each(FAULTS)('ends after the option "Timeout (Seconds)" in the node (%s)', async (fault) => {
			const service = await startSlow(fault);
			const parameters = { options: { timeout: 77 } };
			const { error } = await shorten(77_000, async () => await service.engine.run({ parameters }));
			expect(error?.message).toMatch(TIMEOUT);
			expect(service.tokenRequests()).toHaveLength(5);
		});
	});
});

/** A service whose production environment uses https, trusted until the end of the test. */
async function startTrusted(options: SandboxOptions = {}): Promise<Service> {
	const certificate = await createSelfSigned();
	distrust = trust(certificate.cert);
	return await startService({ ...options, tls: certificate });
}

let distrust = () => {};

afterEach(() => distrust());

describe('Testing a credential that holds no token, right after an execution', () => {
	it('rejects a revoked key', async () => {
		const service = await startService();
		await service.engine.run();
		service.app.schedule('status:code=401,endpoint=token');
		const verdict = await service.engine.testCredential({ accessToken: '', accessTokenFor: '' });
		expect(verdict.status).toBe('Error');
	});

	it('requests a token of its own', async () => {
		const service = await startService();
		await service.engine.run();
		service.app.environment('sandbox').tokens.revokeAll();
		expect(await service.engine.testCredential({ accessToken: '', accessTokenFor: '' })).toMatchObject({
			status: 'OK',
		});
		expect(service.tokenRequests()).toHaveLength(2);
	});
});
