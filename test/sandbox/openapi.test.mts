import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { DEFAULTS } from '../../sandbox/app.mts';
import { DEFAULT_BEHAVIOR, type Behavior } from '../../sandbox/endpoints/behavior.mts';
import type { EnvironmentName } from '../../sandbox/endpoints/environment.mts';
import { FILTER_NAMES } from '../../sandbox/endpoints/query.mts';
import { DEFAULT_PORTS, FLAGS } from '../../sandbox/flags.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { call, LIST_PATH, TOKEN_PATH } from './caller.mts';

interface Operation {
	responses: Record<string, { $ref: string }>;
}

interface Parameter {
	name: string;
	schema: { default?: number; enum?: string[] };
}

interface Description {
	servers: Array<{ url: string; description: string }>;
	paths: Record<string, Record<string, Operation> & { get: Operation & { parameters?: Parameter[] } }>;
	'x-any-other-path': Operation;
	components: {
		responses: Record<
			string,
			{ headers?: Record<string, { required?: boolean }>; content: Record<string, { schema: object }> }
		>;
	};
}

interface Answer {
	path: string;
	method: string;
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
}

const ROOT = resolve(__dirname, '../..');
const TEXT = readFileSync(join(ROOT, 'sandbox/openapi.yaml'), 'utf8');
const description: Description = parse(TEXT);
const listParameters = description.paths[LIST_PATH].get.parameters ?? [];

const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats(ajv);
// The description contains schemas but is none. Unknown keywords within its schemas are still an error.
ajv.addVocabulary(Object.keys(description));
ajv.addSchema(description, 'description');

function complainOf(value: unknown, schemaPlace: string): string[] {
	const validate = ajv.getSchema(`description${schemaPlace}`);
	if (!validate) throw new Error(`There is no schema at ${schemaPlace}.`);
	validate(value);
	return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const escapePart = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** All operations, including those that only an extension describes. */
const OPERATIONS = new Map<string, Operation>([
	...Object.entries(description.paths).flatMap(([path, item]) =>
		Object.entries(item)
			.filter(([, part]) => part.responses)
			.map(([method, operation]) => [`${method} ${path}`, operation] as const),
	),
	['x-any-other-path', description['x-any-other-path']],
]);

function nameOperation({ path, method }: Answer): string {
	if (!Object.hasOwn(description.paths, path)) return 'x-any-other-path';
	const name = `${method.toLowerCase()} ${path}`;
	return OPERATIONS.has(name) ? name : `x-any-other-method ${path}`;
}

function complainOfHeaders(headers: Answer['headers'], place: string): string[] {
	const described = Object.entries(description.components.responses[place.split('/').at(-1)!].headers ?? {});
	return described.flatMap(([name, { required = false }]) => {
		const value = headers[name.toLowerCase()];
		if (value === undefined) return required ? [`The header ${name} is missing.`] : [];
		return complainOf(value, `${place}/headers/${name}/schema`).map((complaint) => `${name}${complaint}`);
	});
}

/** Differences between a response and the description. */
function complain(answer: Answer): string[] {
	const { path, method, status, headers, body } = answer;
	const response = OPERATIONS.get(nameOperation(answer))?.responses[status];
	if (!response) return [`Nothing describes ${status} as an answer to ${method} ${path}.`];
	const place = response.$ref;
	const { content } = description.components.responses[place.split('/').at(-1)!];
	const type = String(headers['content-type']);
	if (!Object.hasOwn(content, type)) return [`Nothing describes ${type} as an answer to ${method} ${path}.`];
	return [...complainOfHeaders(headers, place), ...complainOf(body, `${place}/content/${escapePart(type)}/schema`)];
}

let sandbox: Sandbox;
let nowMs = Date.UTC(2026, 0, 1);
const tokens = { good: '', expired: '', revoked: '', other: '' };
let email = '';

beforeAll(async () => {
	sandbox = await startSandbox({ clients: 95, productionClients: 0, requestsPerSecond: 1, now: () => nowMs });
	const { tokens: ours, clients } = sandbox.app.environment('sandbox');
	tokens.expired = ours.issue();
	nowMs += DEFAULTS.tokenLifetimeSeconds * 1000;
	tokens.revoked = ours.issue();
	ours.revoke(tokens.revoked);
	tokens.good = ours.issue();
	tokens.other = sandbox.app.environment('production').tokens.issue();
	email = clients.setStatus(clients.add().reference_id, 'completed').email;
});

beforeEach(() => sandbox.app.setBehavior(DEFAULT_BEHAVIOR));

afterAll(() => sandbox.close());

interface Ask {
	method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
	headers?: Record<string, string>;
	environment?: EnvironmentName;
}

async function ask(target: string, { method = 'GET', headers, environment = 'sandbox' }: Ask = {}): Promise<Answer> {
	const { url } = sandbox.environments[environment];
	const { status, headers: received, text } = await call(url + target, { method, headers });
	const isJson = received['content-type'] === 'application/json';
	return { path: target.split('?')[0], method, status, headers: received, body: isJson ? JSON.parse(text) : text };
}

const askToken = (options: Ask = {}) => ask(TOKEN_PATH, { headers: { 'api-key': DEFAULTS.apiKey }, ...options });

const askList = (query = '', options: Ask = {}) =>
	ask(`${LIST_PATH}?${query}`, { headers: { authorization: `Bearer ${tokens.good}` }, ...options });

const askEmptyList = (query = '') =>
	askList(query, { environment: 'production', headers: { authorization: `Bearer ${tokens.other}` } });

const askListWith = (authorization: string) => askList('', { headers: { authorization } });

const choicesOf = (name: string) => listParameters.find((parameter) => parameter.name === name)?.schema.enum ?? [];

type Case = [status: number, request: () => Promise<Answer>];

const listCases = (status: number, queries: readonly string[]) =>
	Object.fromEntries(queries.map((query) => [`the list with ${query}`, [status, () => askList(query)] as Case]));

const DEFAULT_CASES: Record<string, Case> = {
	'a token request': [200, () => askToken()],
	'a token request with a wrong key': [401, () => askToken({ headers: { 'api-key': 'wrong' } })],
	'a token request with an empty key': [401, () => askToken({ headers: { 'api-key': '' } })],
	'a token request with the key of production': [
		401,
		() => askToken({ headers: { 'api-key': DEFAULTS.productionApiKey } }),
	],
	'a token request without a key': [401, () => askToken({ headers: {} })],
	'a token request by POST': [405, () => askToken({ method: 'POST' })],
	'a token request by PUT': [405, () => askToken({ method: 'PUT' })],
	'a token request by DELETE': [405, () => askToken({ method: 'DELETE' })],

	'the list': [200, () => askList()],
	...listCases(
		200,
		choicesOf('request_status').map((status) => `request_status=${status}`),
	),
	...listCases(
		200,
		choicesOf('client_type').map((type) => `client_type=${type}`),
	),
	...listCases(200, [
		'page_no=2',
		'page_no=10',
		'page_no=11',
		'page_no=9007199254740991',
		'page_limit=1',
		'page_limit=7&page_no=3',
		'page_limit=100',
		'page_limit=101',
		'page_limit=1000000',
		'page=2',
		'page=text',
		'colour=red',
		'group_name=Retail',
		'group_name=Retail+Customers',
		'group_name=Nobody',
		'group_name=',
		'client_email=nobody@example.com',
		'client_email=',
		'client_type=company&request_status=completed&group_name=Wholesale',
	]),
	'the list of one email address': [200, () => askList(`client_email=${encodeURIComponent(email)}`)],
	'a list without any client': [200, () => askEmptyList()],
	'the second page of a list without any client': [200, () => askEmptyList('page_no=2')],
	...listCases(400, [
		'page_limit=0',
		'page_limit=-1',
		'page_limit=text',
		'page_limit=1.5',
		'page_limit=',
		'page_limit=99999999999999999999',
		'page_no=0',
		'page_no=-1',
		'page_no=text',
		'page_no=1&page_no=2',
		'request_status=Completed',
		'request_status=on-hold',
		'request_status=',
		'client_type=Company',
		'client_type=robot',
	]),
	'the list without a token': [401, () => askList('', { headers: {} })],
	'the list with an expired token': [401, () => askListWith(`Bearer ${tokens.expired}`)],
	'the list with a revoked token': [401, () => askListWith(`Bearer ${tokens.revoked}`)],
	'the list with the token of production': [401, () => askListWith(`Bearer ${tokens.other}`)],
	'the list with a made-up token': [401, () => askListWith('Bearer garbage')],
	'the list with no word before the token': [401, () => askListWith(tokens.good)],
	'the list with the API key as header': [401, () => askList('', { headers: { 'api-key': DEFAULTS.apiKey } })],
	'the list by POST': [405, () => askList('', { method: 'POST' })],
	'the list by DELETE, without a token': [405, () => askList('', { method: 'DELETE', headers: {} })],

	'another path': [404, () => ask('/api/v1/elsewhere/')],
	'no path': [404, () => ask('/')],
	'another version': [404, () => ask('/api/v2/clients-list/')],
	'another path by POST': [404, () => ask('/api/v1/clients/', { method: 'POST' })],
};

/** The first request uses up the rate limit. */
async function askTwice(request: () => Promise<Answer>): Promise<Answer> {
	await request();
	return request();
}

const OTHER_CASES: Record<string, [settings: Partial<Behavior>, ...Case]> = {
	'a token request by POST, where that is the method': [
		{ tokenMethod: 'POST' },
		200,
		() => askToken({ method: 'POST' }),
	],
	'a wrong key by POST': [{ tokenMethod: 'POST' }, 401, () => askToken({ method: 'POST', headers: {} })],
	'a token request by GET, where POST is the method': [{ tokenMethod: 'POST' }, 405, () => askToken()],
	'a token request by PUT': [{}, 405, () => askToken({ method: 'PUT' })],
	'a page beyond the last that is not found': [{ beyondLast: '404' }, 404, () => askList('page_no=11')],
	'a list without any client that is not found': [{ emptyList: '404' }, 404, () => askEmptyList()],
	'too many token requests': [{ rateLimit: 'seconds' }, 429, () => askTwice(askToken)],
	'too many token requests by POST': [{ rateLimit: 'date' }, 429, () => askTwice(() => askToken({ method: 'POST' }))],
	'too many list requests': [{ rateLimit: 'past' }, 429, () => askTwice(askList)],
	'too many list requests, without a time to wait': [{ rateLimit: 'bare' }, 429, () => askTwice(askList)],
	'too many list requests, with the time of the reset': [{ rateLimit: 'reset' }, 429, () => askTwice(askList)],
};

/** All values in the description, with their paths. */
function* walk(value: unknown, place = '#'): Generator<[place: string, value: unknown]> {
	yield [place, value];
	if (typeof value !== 'object' || value === null) return;
	for (const [name, part] of Object.entries(value)) yield* walk(part, `${place}/${escapePart(name)}`);
}

/** Jest cannot load the validator itself, since it is an ES module. */
function validateDescription(text: string): { valid: boolean; errors?: unknown } {
	const script = `
		import { text } from 'node:stream/consumers';
		import { Validator } from '@seriousme/openapi-schema-validator';
		console.log(JSON.stringify(await new Validator().validate(await text(process.stdin))));
	`;
	const words = ['--input-type=module', '--eval', script];
	return JSON.parse(execFileSync(process.execPath, words, { cwd: ROOT, input: text, encoding: 'utf8' }));
}

describe('The OpenAPI description of the service', () => {
	it('is valid OpenAPI 3.1', () => {
		expect(TEXT).toMatch(/^openapi: 3\.1\.\d$/m);
		expect(validateDescription(TEXT)).toEqual({ valid: true });
	});

	it.each([
		['a title', 'title: Client onboarding service', 'x-title: Client onboarding service'],
		['the place of a parameter', 'in: query', 'in: somewhere'],
		['a response that exists', 'responses/MethodRefused', 'responses/Elsewhere'],
	])('would not be valid without %s', (_, right, wrong) => {
		expect(TEXT).toContain(right);
		expect(validateDescription(TEXT.replace(right, wrong))).toMatchObject({ valid: false });
	});

	it('has examples that match their schemas', () => {
		const examples = [...walk(description)].flatMap(([place, value]) => {
			const { schema, example, examples } = Object(value);
			if (Array.isArray(examples)) return examples.map((given) => [place, given]);
			if (!schema) return [];
			const named = Object.values<{ value: unknown }>(examples ?? {}).map((given) => given.value);
			return [...named, ...(example === undefined ? [] : [example])].map((given) => [`${place}/schema`, given]);
		});
		expect(examples.length).toBeGreaterThan(30);
		expect(examples.flatMap(([place, given]) => complainOf(given, place))).toEqual([]);
	});

	it('names the default addresses and keys of a sandbox', () => {
		expect(description.servers).toEqual([
			{
				url: `http://localhost:${DEFAULT_PORTS.port}`,
				description: expect.stringContaining(`\`${DEFAULTS.apiKey}\``),
			},
			{
				url: `http://localhost:${DEFAULT_PORTS.productionPort}`,
				description: expect.stringContaining(`\`${DEFAULTS.productionApiKey}\``),
			},
		]);
	});

	it('has all parameters of the list endpoint with their defaults', async () => {
		const names = listParameters.map(({ name }) => name);
		expect(names.sort()).toEqual(['page_no', 'page', 'page_limit', ...FILTER_NAMES].sort());
		const defaults = Object.fromEntries(listParameters.map(({ name, schema }) => [name, schema.default]));
		expect(await askList()).toMatchObject({
			body: { data: { page_number: defaults.page_no, page_limit: defaults.page_limit } },
		});
	});

	it('describes only responses that the sandbox returns', async () => {
		const seen = new Set<string>();
		const cases = Object.values(DEFAULT_CASES).map(([, request]) => [{}, request] as const);
		const others = Object.values(OTHER_CASES).map(([settings, , request]) => [settings, request] as const);
		for (const [settings, request] of [...cases, ...others]) {
			sandbox.app.setBehavior({ ...DEFAULT_BEHAVIOR, ...settings });
			const answer = await request();
			seen.add(`${nameOperation(answer)} ${answer.status}`);
		}
		const described = [...OPERATIONS].flatMap(([name, { responses }]) =>
			Object.keys(responses).map((status) => `${name} ${status}`),
		);
		expect([...seen].sort()).toEqual(described.sort());
	});

	it('names only flags that exist', () => {
		const flags = FLAGS.help.match(/(?<=^  )--[a-z-]+/gm) ?? [];
		const named = TEXT.match(/(?<=`)--[a-z-]+/g) ?? [];
		expect(named.length).toBeGreaterThan(5);
		expect(flags).toEqual(expect.arrayContaining(named));
	});
});

/** The open points of the specification and where it has them. The unit of expires_in is in three places. */
const NOT_SHOWN = [
	['#/info', 'Among the limits, too, the unit of expires_in'],
	['#/info', 'Events'],
	['#/info', 'The policy of deprecation and compatibility'],
	['#/paths/~1api~1v1~1generate-access-token~1', 'The method of the token request'],
	['#/paths/~1api~1v1~1clients-list~1/get', 'The ordering of the results'],
	['#/paths/~1api~1v1~1clients-list~1/get', 'The response to a page beyond the last page'],
	['#/paths/~1api~1v1~1clients-list~1/get', 'The combination semantics of several filters'],
	['#/paths/~1api~1v1~1clients-list~1/get', 'The errors of the list endpoint'],
	['page', 'Which of page and page_no is effective'],
	['page_limit', 'The maximum of page_limit'],
	['client_email', 'The exact matching behavior of client_email'],
	['#/components/securitySchemes/accessToken', 'Token refresh and revocation'],
	['#/components/responses/AccessTokenGenerated', 'At this endpoint, too, the unit of expires_in'],
	['#/components/responses/TooManyRequests', 'Rate limits'],
	['#/components/schemas/AccessToken/properties/expires_in', 'The unit of expires_in'],
	['#/components/schemas/Client/properties/request_status', 'The transitions between these statuses'],
	['#/components/schemas/Client/properties/client_status', 'The complete set of values of client_status'],
];

describe('The text "not shown" in the OpenAPI description', () => {
	const said = [...walk(description)].flatMap(([place, value]) => {
		const { name, description: words } = Object(value) as { name?: string; description?: unknown };
		if (typeof words !== 'string') return [];
		const sentences = words.replaceAll('`', '').split(/\.\s+|\.$|\n+/);
		const isParameter = place.includes('/parameters/');
		return sentences.flatMap((sentence) => {
			const topic = /^(.*?)(?: (?:is|are))? not shown/i.exec(sentence)?.[1];
			return topic === undefined ? [] : [[isParameter ? name : place, topic]];
		});
	});

	it('occurs seventeen times', () => {
		expect(NOT_SHOWN).toHaveLength(17);
		expect(said).toHaveLength(17);
	});

	it.each(NOT_SHOWN)('occurs at %s: %s', (place, topic) => expect(said).toContainEqual([place, topic]));

	it('occurs only in descriptions', () => {
		expect(TEXT.replaceAll(/\s+/g, ' ').match(/not shown/gi)).toHaveLength(17);
	});
});

describe('The OpenAPI description matches', () => {
	it.each(Object.entries(DEFAULT_CASES))('the response to %s', async (_, [status, request]) => {
		const answer = await request();
		expect(answer.status).toBe(status);
		expect(complain(answer)).toEqual([]);
	});

	it('every page of the list', async () => {
		const ids = new Set<string>();
		for (let page = 1; page <= 10; page++) {
			const answer = await askList(`page_no=${page}`);
			expect(complain(answer)).toEqual([]);
			const { data } = answer.body as { data: { results: Array<{ reference_id: string }> } };
			for (const { reference_id } of data.results) ids.add(reference_id);
		}
		expect(ids.size).toBe(96);
	});

	it.each(Object.entries(OTHER_CASES))('the response to %s', async (_, [settings, status, request]) => {
		sandbox.app.setBehavior(settings);
		const answer = await request();
		expect(answer.status).toBe(status);
		expect(complain(answer)).toEqual([]);
	});
});

type Fields = Record<string, unknown>;
type Damage = (record: Fields, page: Fields, envelope: Fields) => unknown;

const DAMAGES: Record<string, [damage: Damage, complaint: string]> = {
	'a field is missing': [(record) => delete record.email, "/results/0 must have required property 'email'"],
	'a name is null': [(record) => (record.client_name = null), '/results/0/client_name must be string'],
	'an id is a number': [(record) => (record.reference_id = 7), '/results/0/reference_id must be string'],
	'a field is unknown': [(record) => (record.phone = '1'), '/results/0 must NOT have additional properties'],
	'an email address is none': [(record) => (record.email = 'ada'), '/results/0/email must match format "email"'],
	'a type is unknown': [(record) => (record.client_type = 'robot'), '/results/0/client_type must be equal to one of'],
	'a group token has another shape': [
		(record) => (record.group_token = '3f1c9a52'),
		'/results/0/group_token must match',
	],
	'a day does not exist': [
		(record) => (record.created_at = '2024-02-30T09:30:00.123Z'),
		'/results/0/created_at must match format "date-time"',
	],
	'a time has no fractions': [
		(record) => (record.created_at = '2024-05-31T09:30:00Z'),
		'/results/0/created_at must match pattern',
	],
	'a time is not in UTC': [
		(record) => (record.created_at = '2024-05-31T09:30:00.123+02:00'),
		'/results/0/created_at must match pattern',
	],
	'a count is a text': [(_, page) => (page.total_count = '96'), '/data/total_count must be integer'],
	'a page number is a fraction': [(_, page) => (page.page_number = 1.5), '/data/page_number must be integer'],
	'a page has a field too many': [(_, page) => (page.next = null), '/data must NOT have additional properties'],
	'there is no list': [(_, page) => (page.results = null), '/data/results must be array'],
	'there is no data': [(_, __, envelope) => (envelope.data = null), '/data must be object'],
	'there is no message': [(_, __, envelope) => delete envelope.message, "must have required property 'message'"],
	'the message is empty': [(_, __, envelope) => (envelope.message = ''), '/message must NOT have fewer than 1'],
	'the envelope says another status': [(_, __, envelope) => (envelope.status_code = 201), '/status_code must be equal'],
	'the envelope has a field too many': [
		(_, __, envelope) => (envelope.links = {}),
		'must NOT have unevaluated properties',
	],
};

const UNFIT_SETTINGS: Array<[settings: Partial<Behavior>, request: () => Promise<Answer>, complaint: string]> = [
	[{ expiresIn: 'absent' }, askToken, "/data must have required property 'expires_in'"],
	[{ wrongMethod: '404' }, () => askToken({ method: 'POST' }), 'Nothing describes 404'],
	[{ wrongMethod: 'html' }, () => askToken({ method: 'POST' }), 'Nothing describes text/html'],
	[{ wrongMethod: 'envelope-405' }, () => askToken({ method: 'POST' }), '/status_code must be equal to constant'],
	[{ tokenRefusal: '403' }, () => askListWith('Bearer garbage'), 'Nothing describes 403'],
	[{ tokenRefusal: '419' }, () => askListWith('Bearer garbage'), 'Nothing describes 419'],
	[{ tokenRefusal: 'redirect' }, () => askListWith('Bearer garbage'), 'Nothing describes 302'],
	[{ tokenRefusal: 'envelope-401' }, () => askListWith('Bearer garbage'), '/data must be object'],
	[{ statusCase: 'lower' }, askList, '/request_status must be equal to one of the allowed values'],
	[
		{ extras: 'statuses' },
		() => askList('page_limit=96'),
		'/request_status must be equal to one of the allowed values',
	],
	[{ extras: 'fields' }, askList, '/data/results/0 must NOT have additional properties'],
	[{ totals: 'strings' }, askList, '/data/total_pages must be integer'],
	[{ pageLimitEcho: 'absent' }, askList, "/data must have required property 'page_limit'"],
	[{ beyondLast: 'bare-404' }, () => askList('page_no=99'), 'Nothing describes text/html'],
	[{ emptyList: '204' }, () => askEmptyList(), 'Nothing describes 204'],
];

describe('The OpenAPI description does not match', () => {
	it.each(Object.entries(DAMAGES))('a response in which %s', async (_, [damage, complaint]) => {
		const answer = await askList();
		const envelope = answer.body as { data: Fields & { results: Fields[] } };
		damage(envelope.data.results[0], envelope.data, envelope);
		expect(complain(answer).join('\n')).toContain(complaint);
	});

	it.each(UNFIT_SETTINGS)('the sandbox with %o', async (settings, request, complaint) => {
		sandbox.app.setBehavior(settings);
		expect(complain(await request()).join('\n')).toContain(complaint);
	});

	it('a response without a required header, or with a wrong one', async () => {
		const answer = await askToken({ method: 'POST' });
		expect(complain({ ...answer, headers: { ...answer.headers, allow: undefined } })).toEqual([
			'The header Allow is missing.',
		]);
		expect(complain({ ...answer, headers: { ...answer.headers, allow: 'PATCH' } })).toEqual([
			expect.stringContaining('Allow must match pattern'),
		]);
	});

	it('a refusal with data', async () => {
		const answer = await askListWith('Bearer garbage');
		Object.assign(answer.body as Fields, { data: {} });
		expect(complain(answer)).toEqual(['/data must be null']);
	});

	it('a status or path that is not described', async () => {
		const answer = await askList();
		expect(complain({ ...answer, status: 500 })).toEqual([
			'Nothing describes 500 as an answer to GET /api/v1/clients-list/.',
		]);
		expect(complain({ ...answer, path: '/api/v1/elsewhere/' })).toEqual([
			'Nothing describes 200 as an answer to GET /api/v1/elsewhere/.',
		]);
	});
});
