import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { injectDomainRestrictionFields } from 'n8n-workflow';
import { ClientOnboardingApi } from '../../credentials/ClientOnboardingApi.credentials';
import type { SandboxOptions } from '../../sandbox/server.mts';
import { createSelfSigned, trust } from '../../tools/network/certificate.mts';
import { startService, type Service } from '../support/service.mts';

const LIST = '/api/v1/clients-list/';
const CREDENTIAL = 'clientOnboardingApi';

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
	it("has what n8n's HTTP Request node chooses from it by", () => {
		const listed = JSON.parse(JSON.stringify({ ...new ClientOnboardingApi() }));
		expect(listed).toMatchObject({ name: CREDENTIAL, authenticate: {} });
	});

	it('offers no domains to send the token to, since it goes to the base URL only', () => {
		const { properties } = new ClientOnboardingApi();
		expect(injectDomainRestrictionFields(new ClientOnboardingApi())).toEqual(properties);
		expect(properties.find(({ name }) => name === 'allowedHttpRequestDomains')?.type).toBe('hidden');
	});
});

describe.each(Object.entries(WAYS))('The credential used by another node through %s', (_name, request) => {
	it('exchanges the key, sends the token and renews it when it has expired', async () => {
		const service = await startService({ clients: 3 });
		const { url } = service.environments.sandbox;
		expect((await service.engine.send(request(`${url}${LIST}`))).error).toBeUndefined();
		service.app.environment('sandbox').tokens.revokeAll();
		const { json, error } = await service.engine.send(request(`${url}${LIST}`));
		expect(error).toBeUndefined();
		expect(json[0].answer).toMatchObject({ status_code: 200, data: { total_count: 3 } });
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('takes an address in any of its spellings', async () => {
		const service = await startService();
		const { url } = service.environments.sandbox;
		const { error } = await service.engine.send(request(`${url.replace('http:', 'HTTP:')}${LIST}?page_limit=1`));
		expect(error).toBeUndefined();
		expect(service.listRequests()).toHaveLength(1);
	});

	it('sends no token to any other address', async () => {
		const service = await startService();
		const other = await startService();
		const { error } = await service.engine.send(request(`${other.environments.sandbox.url}${LIST}`));
		expect(error?.message).toMatch(/This credential is only for requests to http:\/\/127\.0\.0\.1/);
		expect(other.requests).toEqual([]);
	});

	it('sends no token to an address that only begins alike', async () => {
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

	it('follows no redirect with the token', async () => {
		const other = await startService();
		const service = await startService({
			faults: [{ kind: 'redirect', location: `${other.environments.sandbox.url}${LIST}` }],
		});
		const { error } = await service.engine.send(request(`${service.environments.sandbox.url}${LIST}`));
		expect(error).toBeDefined();
		expect(other.requests).toEqual([]);
	});

	it('sends no old token after the environment was switched', async () => {
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
	it('sends no old token to the new environment, and no old key', async () => {
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
	it('ends at once where the service can no longer be trusted', async () => {
		const service = await startTrusted({ productionClients: 3 });
		const { url: productionBaseUrl, apiKey } = service.environments.production;
		service.engine.edit({ environment: 'production', productionBaseUrl, apiKey });
		expect((await service.engine.run()).json).toHaveLength(3);
		distrust();
		service.requests.length = 0;
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(/^No safe connection to 127\.0\.0\.1:\d+: its certificate is self-signed$/);
		expect(service.requests).toEqual([]);
	});
});

describe('Testing the credential', () => {
	it('is green when the key is accepted and the list can be read, with one exchange', async () => {
		const service = await startService();
		expect(await service.engine.testCredential()).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(service.tokenRequests()).toHaveLength(1);
		expect(service.listRequests()).toHaveLength(1);
		expect(service.listRequests()[0].headers).not.toHaveProperty('x-client-onboarding-credential-test');
	});

	it('always exchanges the key anew, however good the stored token is', async () => {
		const service = await startService();
		await service.engine.run();
		await service.engine.testCredential();
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('is red for a wrong key although the stored token still works', async () => {
		const service = await startService();
		await service.engine.run();
		const verdict = await service.engine.testCredential({ apiKey: 'wrong-key' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/The API key was not accepted.*Settings, API credentials/);
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('is red for a key that was withdrawn a moment ago', async () => {
		const service = await startService();
		expect((await service.engine.testCredential()).status).toBe('OK');
		service.app.schedule('status:code=401,endpoint=token');
		expect((await service.engine.testCredential()).message).toMatch(/The API key was not accepted/);
	});

	it.each([
		['html', /There is no client onboarding service at .*web page, status 200.*Check "Sandbox Base URL"/],
		['wrong-envelope', /There is no client onboarding service at/],
		['status:code=404', /There is no client onboarding service at .*status 404.*Check "Sandbox Base URL"/],
		['redirect:location=http://127.0.0.2:1/', /points to another address.*Check "Sandbox Base URL"/],
		[
			'empty:code=304',
			/There is no client onboarding service at .*nothing at all, status 304.*Check "Sandbox Base URL"/,
		],
		...['html', 'empty', 'wrong-envelope'].map(
			(kind) =>
				[`${kind}:code=403`, /not accepted by .*: it answered .* 403\. Check .*firewall.*"Sandbox Base URL"/] as const,
		),
		['html:code=511', /There is no client onboarding service at .*web page, status 511/],
		['html:code=502', /is busy or down .*status 502.*Try again in a moment/],
		['empty', /gave no access token: its answer was empty or cut off \(status 200\).*check "Sandbox Base URL"/],
		['empty:code=204', /gave no access token: its answer was empty or cut off \(status 204\)/],
		['status:code=503', /is busy or down .*status 503.*Try again in a moment/],
		['rate-limit-bare', /is busy or down/],
		[
			'reset-before',
			/Could not reach .*closed the connection.*\. If trying again does not help, check "Sandbox Base URL"/,
		],
		['truncated', /gave no access token: its answer was empty or cut off \(status 200\)/],
	])('is red with a text of its own when the token endpoint has: %s', async (fault, message) => {
		const service = await startService();
		service.app.schedule(`${fault}${fault.includes(':') ? ',' : ':'}endpoint=token`);
		const verdict = await service.engine.testCredential();
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	it.each([
		['status:code=401', /does not let it list clients/],
		['status:code=403', /does not let it list clients/],
		['html', /no list of clients came back/],
		['wrong-envelope', /no list of clients came back/],
		['status:code=500', /no list of clients came back/],
	])('is red when the list endpoint has: %s', async (fault, message) => {
		const service = await startService({ faults: [fault] });
		const verdict = await service.engine.testCredential();
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	it.each(['envelope-401', 'envelope-403'] as const)(
		'is red when the list refuses the token inside a 200 (%s)',
		async (tokenRefusal) => {
			const service = await startService({
				dialect: { tokenRefusal },
				onRequest: ({ endpoint, environment }) => {
					if (endpoint === 'list') service.app.environment(environment).tokens.revokeAll();
				},
			});
			expect((await service.engine.testCredential()).message).toMatch(/does not let it list clients/);
		},
	);

	it.each(['hang', 'dribble:ms=1000'])(
		'gives the list endpoint half a minute, not five, when it has: %s',
		async (fault) => {
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
		},
	);

	it("also sets n8n's own timeout, whose code says what happened", async () => {
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

	it('is red where nothing listens', async () => {
		const service = await startService();
		await service.close();
		expect((await service.engine.testCredential()).message).toMatch(
			/Could not reach 127\.0\.0\.1:\d+: nothing is listening there/,
		);
	});

	it.each(['/wrong/path/', '/api/'])('is red for an address that ends in %s and names it', async (path) => {
		const service = await startService();
		const { host, href } = new URL(path, service.environments.sandbox.url);
		const place = `${host}${path.replace(/\/$/, '')}`;
		expect((await service.engine.testCredential({ sandboxBaseUrl: href })).message).toBe(
			`There is no client onboarding service at ${place}: it answered with something else, status 404. Check "Sandbox Base URL"`,
		);
	});

	it('is red for a host that does not exist', async () => {
		const service = await startService();
		const verdict = await service.engine.testCredential({ sandboxBaseUrl: 'http://no-such-host.invalid' });
		expect(verdict.message).toMatch(
			/Could not reach no-such-host\.invalid: (there is no such host|its name could not be looked up)/,
		);
	});

	it('is red for a certificate that cannot be trusted', async () => {
		const service = await startService({ tls: createSelfSigned() });
		const { url, apiKey } = service.environments.production;
		const verdict = await service.engine.testCredential({ environment: 'production', productionBaseUrl: url, apiKey });
		expect(verdict.message).toMatch(/No safe connection to 127\.0\.0\.1:\d+: its certificate/);
		expect(service.requests).toEqual([]);
	});

	it('is red for https where only http is spoken', async () => {
		const service = await startService();
		const { url, apiKey } = service.environments.production;
		const verdict = await service.engine.testCredential({
			environment: 'production',
			productionBaseUrl: url.replace('http:', 'https:'),
			apiKey,
		});
		expect(verdict.message).toMatch(/No safe connection to .*it speaks no https that n8n can use/);
	});

	it.each([
		['an https of years ago', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }],
		['a certificate of n8n', { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }],
	] satisfies Array<[string, TlsOptions]>)('is red for a service that wants %s', async (_, manner) => {
		const service = await startTrusted({}, manner);
		const { url, apiKey } = service.environments.production;
		const verdict = await service.engine.testCredential({ environment: 'production', productionBaseUrl: url, apiKey });
		expect(verdict.message).toMatch(/No safe connection to .*it speaks no https that n8n can use/);
		expect(service.requests).toEqual([]);
	});

	it.each([
		[{ apiKey: '' }, /Fill in "API Key"/],
		[{ sandboxBaseUrl: '' }, /Fill in "Sandbox Base URL"/],
		[{ sandboxBaseUrl: 'localhost:4010' }, /"Sandbox Base URL" (is not a web address|has to start with)/],
	])('is red for %j and names the field', async (changes, message) => {
		const service = await startService();
		const verdict = await service.engine.testCredential(changes);
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		expect(service.requests).toEqual([]);
	});
});

describe('Testing the credential while its key is being exchanged elsewhere', () => {
	const SLOW_EXCHANGE = 'latency:ms=300,endpoint=token';
	const WRONG = { apiKey: 'wrong-key' };

	/** A service whose stored token has just died, so that whoever comes next exchanges the key, which takes a while. */
	async function startWithDeadToken(): Promise<Service> {
		const service = await startService();
		await service.engine.run();
		service.app.environment('sandbox').tokens.revokeAll();
		service.app.schedule(SLOW_EXCHANGE);
		service.requests.length = 0;
		return service;
	}

	it('is green with the token of a run that exchanges it at this moment', async () => {
		const service = await startWithDeadToken();
		const running = service.engine.run();
		while (service.tokenRequests().length === 0) await sleep(5);
		expect(await service.engine.testCredential()).toMatchObject({ status: 'OK' });
		expect((await running).error).toBeUndefined();
		expect(service.tokenRequests()).toHaveLength(1);
	});

	it.each([
		['with a stored token', {}],
		['that was never used', { accessToken: '', accessTokenFor: '' }],
	])('is green in two tests at once of a credential %s', async (_which, changes) => {
		const service = await startWithDeadToken();
		const tests = ['first', 'second'].map(async () => await service.engine.testCredential(changes));
		expect((await Promise.all(tests)).map(({ status }) => status)).toEqual(['OK', 'OK']);
		expect(service.tokenRequests()).toHaveLength(1);
	});

	it.each([
		['an older token', {}],
		['a token of another key', { accessTokenFor: 'another' }],
		['no token', { accessToken: '', accessTokenFor: '' }],
	])('is green with %s right after another exchange, and exchanges the key itself', async (_what, changes) => {
		const service = await startWithDeadToken();
		const older = service.engine.stored();
		await service.engine.run();
		expect(await service.engine.testCredential({ ...older, ...changes })).toMatchObject({ status: 'OK' });
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('is red for a wrong key, whatever is exchanged or stored for the right one', async () => {
		const service = await startWithDeadToken();
		const running = service.engine.run();
		while (service.tokenRequests().length === 0) await sleep(5);
		const [wrong, right] = await Promise.all([service.engine.testCredential(WRONG), service.engine.testCredential()]);
		expect(right).toMatchObject({ status: 'OK' });
		expect(wrong.message).toMatch(/The API key was not accepted/);
		await running;
		expect((await service.engine.testCredential(WRONG)).message).toMatch(/The API key was not accepted/);
	});

	it('is red in both of two tests at once of a wrong key', async () => {
		const service = await startWithDeadToken();
		const tests = ['first', 'second'].map(async () => await service.engine.testCredential(WRONG));
		for (const { message } of await Promise.all(tests)) expect(message).toMatch(/The API key was not accepted/);
		expect(service.listRequests()).toEqual([]);
	});

	it('is red for a key that was withdrawn after its last exchange, although the token of that one still works', async () => {
		const service = await startWithDeadToken();
		const older = service.engine.stored();
		await service.engine.run();
		service.app.schedule('status:code=401,endpoint=token');
		expect((await service.engine.testCredential(older)).message).toMatch(/The API key was not accepted/);
	});
});

describe('The exchange', () => {
	it('takes an API key with space around it', async () => {
		const service = await startService({ clients: 2 });
		service.engine.edit({ apiKey: `  ${service.environments.sandbox.apiKey}\n` });
		expect((await service.engine.run()).json).toHaveLength(2);
	});

	it.each([
		['a 404 page', 404, '<h1>Not Found</h1>'],
		['a 404 in an envelope', 404, { status_code: 404, message: 'Not found', data: null }],
		['a 405', 405, ''],
		['a 501', 501, 'Not Implemented'],
		['a 404 inside a 200', 200, { status_code: 404, message: 'Not found', data: null }],
		['a 405 inside a 200', 200, { status_code: '405', message: 'Method not allowed', data: null }],
		['a 501 inside a 200', 200, { status_code: 501, message: 'Not implemented', data: null }],
		['a 405 inside a 400', 400, { status_code: 405, message: 'Method not allowed', data: null }],
	])('tries POST after GET was answered with %s', async (_what, status, body) => {
		const asked: string[] = [];
		const service = await startService({
			clients: 2,
			dialect: { tokenMethod: 'POST' },
			onAnswer: ({ endpoint, method }, answer) => {
				if (endpoint !== 'token') return;
				asked.push(method);
				if (method === 'GET') Object.assign(answer, { status, body });
			},
		});
		expect((await service.engine.testCredential()).status).toBe('OK');
		expect(asked).toEqual(['GET', 'POST']);
		expect((await service.engine.run()).json).toHaveLength(2);
	});

	it.each([
		['a 404 in an envelope', 404, 404, /There is no client onboarding service at .*status 404/],
		['a 501', 501, 501, /There is no client onboarding service at .*status 501/],
		['a 405 inside a 200', 200, 405, /gave no access token \(status 405\)\. Check the API key and/],
	])('says what came where POST, too, is answered with %s', async (_what, status, inside, message) => {
		const service = await startService({
			onAnswer: ({ endpoint }, answer) => {
				if (endpoint === 'token') Object.assign(answer, { status, body: { status_code: inside, message: 'No' } });
			},
		});
		expect((await service.engine.testCredential()).message).toMatch(message);
		expect(service.tokenRequests().map(({ method }) => method)).toEqual(['GET', 'POST']);
	});

	it.each([
		['a 401', 401, 401],
		['a 403', 403, 403],
		['a 401 inside a 200', 200, 401],
		['a 403 inside a 404', 404, 403],
		['a 404 inside a 401', 401, 404],
	])('does not try POST after %s', async (_what, status, inside) => {
		const service = await startService({
			onAnswer: ({ endpoint }, answer) => {
				if (endpoint === 'token') Object.assign(answer, { status, body: { status_code: inside, message: 'No' } });
			},
		});
		expect((await service.engine.testCredential()).status).toBe('Error');
		expect(service.tokenRequests().map(({ method }) => method)).toEqual(['GET']);
	});

	it('does not try POST after the key was refused', async () => {
		const service = await startService({ dialect: { tokenMethod: 'both' } });
		service.engine.edit({ apiKey: 'wrong' });
		await service.engine.run();
		expect(service.tokenRequests().map(({ method }) => method)).toEqual(['GET']);
	});

	it('reads a refusal inside a 200 as one', async () => {
		const service = await startService({
			onAnswer: ({ endpoint }, answer) => {
				if (endpoint === 'token')
					Object.assign(answer, { body: { status_code: 401, message: 'Invalid API key', data: null } });
			},
		});
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(/The API key was not accepted/);
		expect(service.tokenRequests()).toHaveLength(1);
	});

	it.each([undefined, '', 17, 'with space', 'line\nbreak', null])('takes %j for no token', async (token) => {
		const service = await startService({
			onAnswer: ({ endpoint }, answer) => {
				if (endpoint === 'token')
					Object.assign(answer, { body: { status_code: 200, message: 'ok', data: { access_token: token } } });
			},
		});
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(/gave no access token/);
		expect(service.listRequests()).toEqual([]);
	});

	it('gives up after 15 s, also when bytes keep coming', async () => {
		const server = createServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const timer = setInterval(() => response.write(' '), 200);
			response.on('close', () => clearInterval(timer));
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as { port: number };
		const service = await startService();
		const verdict = await service.engine.testCredential({ sandboxBaseUrl: `http://127.0.0.1:${port}` });
		expect(verdict.message).toMatch(/Could not reach .*no complete answer within 15 s/);
		server.closeAllConnections();
		server.close();
	});
});

/** A service whose production speaks https, trusted until the end of the test. */
async function startTrusted(options: SandboxOptions = {}, manner: TlsOptions = {}): Promise<Service> {
	const certificate = createSelfSigned();
	distrust = trust(certificate.cert);
	return await startService({ ...options, tls: { ...manner, ...certificate } });
}

let distrust = () => {};

afterEach(() => distrust());
