import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { DEFAULTS } from '../../sandbox/app.mts';
import { FILTER_NAMES } from '../../sandbox/endpoints/query.mts';
import { DEFAULT_PORTS, FLAGS } from '../../sandbox/flags.mts';
import { startSandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { createCaller, pathOf, type Reply } from './ask.mts';

interface Operation {
	responses: Record<string, { $ref: string }>;
}

const ROOT = resolve(__dirname, '../..');
const TEXT = readFileSync(join(ROOT, 'sandbox/openapi.yaml'), 'utf8');
const description = parse(TEXT);

const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats(ajv);
// The description contains schemas but is none. Unknown keywords within its schemas are still an error.
ajv.addVocabulary(Object.keys(description));
ajv.addSchema(description, 'description');

/** How the value differs from the schema at this place in the description. */
function compare(value: unknown, place: string): string[] {
	const validate = ajv.getSchema(`description${place}`)!;
	validate(value);
	return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const escape = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** All parts of the description, with their places. */
function* walk(value: unknown, place = '#'): Generator<[place: string, part: Record<string, any>]> {
	if (typeof value !== 'object' || value === null) return;
	yield [place, value];
	for (const [name, part] of Object.entries(value)) yield* walk(part, `${place}/${escape(name)}`);
}

/** The responses of each operation, also of those that only an extension describes. */
const OPERATIONS: Record<string, Operation['responses']> = { other: description['x-any-other-path'].responses };
for (const [path, item] of Object.entries<Record<string, Operation>>(description.paths)) {
	for (const [method, { responses }] of Object.entries(item)) {
		if (responses) OPERATIONS[`${method.toUpperCase()} ${path}`] = responses;
	}
}

/** The name of the operation that a request such as "GET list" is for. */
function operationOf(line: string): string {
	const [method, target] = line.split(' ');
	const path = pathOf(target).split('?')[0];
	const candidates = [`${method} ${path}`, `X-ANY-OTHER-METHOD ${path}`, 'other'];
	return candidates.find((name) => Object.hasOwn(OPERATIONS, name))!;
}

/** How the response differs from what the description says about the operation. */
function complain(line: string, { status, headers, json }: Reply): string[] {
	const { $ref } = OPERATIONS[operationOf(line)][status!] ?? {};
	if (!$ref) return [`${status} is not described`];
	const response = description.components.responses[$ref.split('/').at(-1)!];
	const complaints = compare(json, `${$ref}/content/${escape('application/json')}/schema`);
	for (const [name, { required }] of Object.entries<{ required?: boolean }>(response.headers ?? {})) {
		const value = headers[name.toLowerCase()];
		if (value !== undefined || required) complaints.push(...compare(value, `${$ref}/headers/${name}/schema`));
	}
	return complaints;
}

async function reply(line: string, options: SandboxOptions = {}, before = 0): Promise<Reply> {
	const sandbox = await startSandbox({ clients: 95, control: false, requestsPerMinute: 1, ...options });
	const ask = createCaller(sandbox);
	for (let sent = 0; sent < before; sent++) await ask(line);
	const received = await ask(line);
	await sandbox.close();
	return received;
}

const byPost: SandboxOptions = { behavior: { tokenMethod: 'POST' } };
const noClients: SandboxOptions = { clients: 0 };
const limits = (['seconds', 'date', 'bare', 'past', 'reset'] as const).map((rateLimit) => ({
	behavior: { rateLimit },
}));

/** At least one request for each response that is described. */
const CASES: Array<[status: number, line: string, options?: SandboxOptions]> = [
	...['GET token', 'GET list', 'GET list?page_limit=1000', 'GET list?page_no=10&page=2', 'GET list?page_no=11'].map(
		(line): [number, string] => [200, line],
	),
	[200, 'GET list?group_name=Nobody'],
	[200, 'GET list', noClients],
	[200, 'POST token', byPost],
	[400, 'GET list?page_no=0'],
	[400, 'GET list?client_type=robot'],
	[401, 'GET token with wrong-key'],
	[401, 'POST token with no-key', byPost],
	[401, 'GET list with no-key'],
	[401, 'GET list with wrong-key'],
	[404, 'GET list?page_no=11', { behavior: { beyondLast: '404' } }],
	[404, 'GET list', { ...noClients, behavior: { emptyList: '404' } }],
	[404, 'GET /api/v1/elsewhere/'],
	[404, 'POST /'],
	[405, 'GET token', byPost],
	[405, 'POST token'],
	[405, 'PUT token'],
	[405, 'POST list'],
	...limits.map((limit): [number, string, SandboxOptions] => [429, 'GET list', limit]),
	[429, 'GET token', limits[0]],
	[429, 'POST token', limits[0]],
];

/** The open points of the specification. It has the unit of expires_in in three places. */
const OPEN_POINTS = [
	'Among the limits, too, the unit of expires_in is',
	'Events are',
	'The policy of deprecation and compatibility is',
	'The method of the token request is',
	'The ordering of the results is',
	'The response to a page beyond the last page is',
	'The combination semantics of several filters are',
	'The errors of the list endpoint are',
	'Which of page and page_no is effective is',
	'The maximum of page_limit is',
	'The exact matching behavior of client_email is',
	'Token refresh and revocation are',
	'At this endpoint, too, the unit of expires_in is',
	'Rate limits are',
	'The unit of expires_in is',
	'The transitions between these statuses are',
	'The complete set of values of client_status is',
];

describe('The OpenAPI description of the sandbox', () => {
	it('is valid OpenAPI', () => {
		// Jest cannot load the validator itself, since it is an ES module.
		const script = `
			import { text } from 'node:stream/consumers';
			import { Validator } from '@seriousme/openapi-schema-validator';
			console.log(JSON.stringify(await new Validator().validate(await text(process.stdin))));
		`;
		const words = ['--input-type=module', '--eval', script];
		const output = execFileSync(process.execPath, words, { cwd: ROOT, input: TEXT, encoding: 'utf8' });
		expect(JSON.parse(output)).toEqual({ valid: true });
	});

	it.each(CASES)('describes the response %p to %s with %j', async (status, line, options = {}) => {
		const received = await reply(line, options, status === 429 ? 1 : 0);
		expect(received.status).toBe(status);
		expect(complain(line, received)).toEqual([]);
	});

	it('describes no response that the sandbox does not give', () => {
		const given = new Set(CASES.map(([status, line]) => `${operationOf(line)} ${status}`));
		const described = Object.entries(OPERATIONS).flatMap(([name, responses]) =>
			Object.keys(responses).map((status) => `${name} ${status}`),
		);
		expect(described.sort()).toEqual([...given].sort());
	});

	it.each<[SandboxOptions['behavior'], string, string]>([
		[{ totals: 'strings' }, 'GET list', '/data/total_count must be integer'],
		[{ pageLimitEcho: 'absent' }, 'GET list', "/data must have required property 'page_limit'"],
		[{ beyondLast: 'results-null' }, 'GET list?page_no=11', '/data/results must be array'],
		[{ beyondLast: 'data-null' }, 'GET list?page_no=11', '/data must be object'],
		[{ statusCase: 'lower' }, 'GET list', '/data/results/0/request_status must be equal to one of the allowed values'],
		[{ extras: 'fields' }, 'GET list', '/data/results/0 must NOT have additional properties'],
		[{ expiresIn: 'absent' }, 'GET token', "/data must have required property 'expires_in'"],
		[{ tokenRefusal: '403' }, 'GET list with no-key', '403 is not described'],
		[{ tokenRefusal: 'envelope-401' }, 'GET list with no-key', '/status_code must be equal to constant'],
	])('does not describe the behavior %j', async (behavior, line, complaint) => {
		expect(complain(line, await reply(line, { behavior }))).toContain(complaint);
	});

	it('has examples that match their schemas', () => {
		const examples = [...walk(description)].flatMap(([place, { schema, example, examples: given }]) => {
			if (Array.isArray(given)) return given.map((value) => [place, value]);
			const named = Object.values<{ value: unknown }>(given ?? {}).map(({ value }) => value);
			return schema ? [...named, ...[example ?? []].flat()].map((value) => [`${place}/schema`, value]) : [];
		});
		expect(examples.length).toBeGreaterThan(30);
		expect(examples.flatMap(([place, value]) => compare(value, place))).toEqual([]);
	});

	it('has the addresses, API keys, parameters and flags of the sandbox', async () => {
		const { port, productionPort } = DEFAULT_PORTS;
		const { apiKey, productionApiKey } = DEFAULTS;
		expect(description.servers).toMatchObject([
			{ url: `http://localhost:${port}`, description: expect.stringContaining(`\`${apiKey}\``) },
			{ url: `http://localhost:${productionPort}`, description: expect.stringContaining(`\`${productionApiKey}\``) },
		]);
		const parameters: string[] = description.paths[pathOf('list')].get.parameters.map(
			({ name }: { name: string }) => name,
		);
		expect(parameters.sort()).toEqual(['page_no', 'page', 'page_limit', ...FILTER_NAMES].sort());
		expect(FLAGS.help.match(/--[a-z-]+/g)).toEqual(expect.arrayContaining(TEXT.match(/--[a-z-]+/g) ?? []));
	});

	it('names every open point of the specification, and no other', () => {
		const text = TEXT.replaceAll('`', '').replaceAll(/\s+/g, ' ');
		expect(OPEN_POINTS.filter((point) => !text.includes(`${point} not shown`))).toEqual([]);
		expect(text.match(/not shown/gi)).toHaveLength(OPEN_POINTS.length);
	});
});
