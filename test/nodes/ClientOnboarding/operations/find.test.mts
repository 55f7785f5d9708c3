import { afterAll, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { SETTINGS } from '../../../../sandbox/endpoints/behavior.mts';
import { startSandbox, type Sandbox } from '../../../../sandbox/server.mts';
import { byDepth } from '../../../support/depth.mts';
import { Engine } from '../../../support/engine.mts';
import { idsOf, sandboxCredential, startService } from '../../../support/service.mts';

const byReference = (referenceId: unknown) =>
	({ operation: 'find', findBy: 'referenceId', referenceId }) as INodeParameters;
const byEmail = (email: unknown) => ({ operation: 'find', findBy: 'email', email }) as INodeParameters;

const MANY = byDepth({ quick: 12_000, deep: 100_000, long: 100_000 });

describe(`Find Client by reference ID in ${MANY.toLocaleString('en')} clients`, () => {
	const report: string[] = [];
	let sandbox: Sandbox | undefined;
	afterAll(async () => {
		await sandbox?.close();
		process.stdout.write(`\nRequests to find one of ${MANY.toLocaleString('en')} clients\n${report.join('\n')}\n`);
	});

	// 100 rows first, then pages of 10,001 rows, several in flight.
	it.each([
		{ where: 'on the first page', row: 60, least: 1 },
		{ where: 'in the middle', row: MANY / 2, least: 2 },
		{ where: 'on the last page', row: MANY - 1, least: 2 },
		{ where: 'not in the list', row: undefined, least: 2 },
	])('returns the right result with few requests if the client is $where', async ({ where, row, least }) => {
		sandbox ??= await startSandbox({ clients: MANY, control: false });
		const { url, apiKey } = sandbox.environments.sandbox;
		const id = row === undefined ? 'NO-SUCH-ID' : sandbox.app.environment('sandbox').clients.ids()[row];
		sandbox.app.resetCounts();
		const { json, error } = await new Engine(sandboxCredential(url, apiKey)).run({ parameters: byReference(id) });
		const asked = sandbox.app.counts().sandbox.list;
		report.push(`  ${where.padEnd(20)} ${String(asked).padStart(3)} requests, at least ${least}`);
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(row === undefined ? [] : [id]);
		expect(asked).toBeGreaterThanOrEqual(least);
		expect(asked).toBeLessThan(row === 60 ? 2 : 106);
	});
});

describe('Find Client by email', () => {
	it.each(['exact', 'any-case', 'contains'] as const)(
		'returns every client with the address in one request when the service filters by it (%s)',
		async (emailFilter) => {
			const service = await startService({ clients: 300, behavior: { emailFilter } });
			const [{ email }] = service.app.environment('sandbox').served();
			service.app.environment('sandbox').clients.add({ email });
			const { json } = await service.engine.run({ parameters: byEmail(email) });
			const expected = [...service.app.environment('sandbox').served()].filter((client) => client.email === email);
			expect(expected.length).toBeGreaterThan(1);
			expect(idsOf(json)).toEqual(idsOf(expected));
			expect(service.listRequests().map(({ query }) => query.client_email)).toEqual([email]);
		},
	);

	it.each(SETTINGS.emailFilter.behaviors)(
		'finds an address in upper case when the email filter of the service is "%s"',
		async (emailFilter) => {
			const service = await startService({ clients: 300, behavior: { emailFilter } });
			const { email, reference_id: id } = [...service.app.environment('sandbox').served()][200];
			const { json } = await service.engine.run({ parameters: byEmail(` ${email.toUpperCase()} `) });
			expect(idsOf(json)).toContain(id);
			expect(json.every((client) => client.email === email)).toBe(true);
		},
	);
});

describe('Find Client for a client that does not exist', () => {
	it.each([
		[byReference('ONB-0'), 'No client has the reference ID "ONB-0"'],
		[byEmail('nobody@example.com'), 'No client has the email address "nobody@example.com"'],
		[
			byEmail('nobody'),
			'No client has the email address "nobody". To search by part of an email address, use List Clients with the option "Text Match"',
		],
	])('returns no item, or an error that repeats the value with Error If Not Found: %j', async (parameters, message) => {
		const service = await startService({ clients: 30 });
		expect(await service.engine.run({ parameters })).toMatchObject({ json: [], error: undefined });
		const { error } = await service.engine.run({ parameters: { ...parameters, options: { errorIfNotFound: true } } });
		expect(error).toMatchObject({ name: 'NodeOperationError', message, context: { itemIndex: 0 } });
	});
});

describe('Find Client at a service whose reference IDs are numbers', () => {
	it.each([123, '123', ' 123 ', [123], '={{ $json.id }}'])(
		'finds a client by %j and returns it unchanged',
		async (id) => {
			const service = await startService({
				clients: 5,
				onAnswer: ({ endpoint }, { body }) => {
					if (endpoint !== 'list') return;
					const { results } = (body as { data: { results: object[] } }).data;
					results.forEach((client, index) => Object.assign(client, { reference_id: 121 + index }));
				},
			});
			const input = [{ json: { id: 123 } }];
			const { json, error } = await service.engine.run({ parameters: byReference(id), input });
			expect(error).toBeUndefined();
			expect(json).toEqual([expect.objectContaining({ reference_id: 123 })]);
		},
	);
});

describe('Error If Not Found', () => {
	it.each(['true', ' TRUE ', 1, 'yes', '={{ "true" }}'])('can be turned on with %j', async (errorIfNotFound) => {
		const service = await startService({ clients: 5 });
		const { error } = await service.engine.run({ parameters: { ...byReference('x'), options: { errorIfNotFound } } });
		expect(error?.message).toBe('No client has the reference ID "x"');
	});

	it.each(['false', 0, 'no', '={{ "false" }}'])('can be turned off with %j', async (errorIfNotFound) => {
		const service = await startService({ clients: 5 });
		const { error } = await service.engine.run({ parameters: { ...byReference('x'), options: { errorIfNotFound } } });
		expect(error).toBeUndefined();
	});
});

describe('The parameters of Find Client', () => {
	it.each([
		[byReference('={{ $json.nothing }}'), '"Reference ID" is empty'],
		[byReference('  '), '"Reference ID" is empty'],
		[byEmail('={{ "" }}'), '"Email" is empty'],
		[
			byReference(['A', 'B']),
			'"Reference ID" takes one value, not 2. Enter one, or use the Split Out node to get one item for each',
		],
		[byReference({ id: 'A' }), '"Reference ID" must be text, not an object. Use one of its fields'],
		[byReference('={{ true }}'), '"Reference ID" must be text, not true'],
		[byEmail('a@b.c; d@e.f'), '"Email" takes one value, not 2'],
		[{ ...byEmail('a@b.c'), options: { errorIfNotFound: 'maybe' } }, '"Error If Not Found" must be true or false'],
		[{ ...byEmail('a@b.c'), options: { errorIfNotFound: '={{ $json.no }}' } }, '"Error If Not Found" is empty'],
		[{ ...byEmail('a@b.c'), options: { fields: '={{ $json.no }}' } }, '"Fields to Return" is empty'],
		[
			{ ...byEmail('a@b.c'), referenceId: 'A', findBy: '={{ $json.no }}' },
			'"Find By" is empty. Use one of: referenceId, email',
		],
		[{ operation: 'find', findBy: 'phone', phone: '1' }, '"Find By" cannot be "phone"'],
		[{ ...byEmail('a@b.c'), options: { timeout: 'x' } }, '"Timeout (Seconds)" must be a number'],
		[{ ...byEmail('a@b.c'), options: { pageSize: -1 } }, '"Page Size" must be a whole number'],
		[{ ...byEmail('a@b.c'), options: { parallelRequests: 99 } }, '"Parallel Requests" must be'],
	])('%j are refused with a message that names the field and cost no request', async (parameters, message) => {
		const service = await startService();
		const { error } = await service.engine.run({ parameters });
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});
});

describe('Find Client', () => {
	it('returns only the chosen fields', async () => {
		const service = await startService({ clients: 30 });
		const [id] = service.ids();
		const { json } = await service.engine.run({
			parameters: { ...byReference(id), options: { fields: ['reference_id'] } },
		});
		expect(json).toEqual([{ reference_id: id }]);
	});
});

describe('Find Client by a reference ID in another case', () => {
	it('finds the client if only one ID matches without case', async () => {
		const service = await startService({ clients: 30 });
		const [id] = service.ids();
		const { json } = await service.engine.run({ parameters: byReference(id.toLowerCase()) });
		expect(idsOf(json)).toEqual([id]);
	});

	it('compares with case if two IDs differ only in case', async () => {
		const service = await startService({ clients: 3 });
		const { clients } = service.app.environment('sandbox');
		for (const reference_id of ['Abc', 'aBC']) clients.add({ reference_id });
		for (const [wanted, found] of [
			['Abc', ['Abc']],
			['aBC', ['aBC']],
			['abc', []],
		] as const) {
			const { json } = await service.engine.run({ parameters: byReference(wanted) });
			expect(idsOf(json)).toEqual(found);
		}
	});
});

describe('Find Client by reference ID with an email address', () => {
	it('says in a hint that "Find By" must be "Email"', async () => {
		const service = await startService({ clients: 3 });
		const { json, hints } = await service.engine.run({ parameters: byReference('ada@example.com') });
		expect(json).toEqual([]);
		expect(hints).toEqual([
			'No client has the reference ID "ada@example.com". To search by email address, set "Find By" to "Email".',
		]);
	});
});

describe('Include Input Fields', () => {
	it('joins many rows with their clients, paired, in one read of the list', async () => {
		const rowCount = byDepth({ quick: 200, deep: 1_000, long: 1_000 });
		const service = await startService({ clients: 1.5 * rowCount });
		const clients = [...service.app.environment('sandbox').served()];
		const wanted = clients.slice(0, rowCount).reverse();
		const input = wanted.map(({ reference_id }, row) => ({ json: { id: reference_id, row, email: `old-${row}` } }));
		const { items, hints, error } = await service.engine.run({
			parameters: { ...byReference('={{ $json.id }}'), options: { includeInput: true } },
			input,
		});
		expect({ error, hints }).toStrictEqual({ error: undefined, hints: [] });
		const rows = wanted.map((client, row) => ({ id: client.reference_id, row, input_email: `old-${row}`, ...client }));
		expect(items.map(({ json }) => json)).toEqual(rows);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(wanted.map((_, item) => ({ item })));
		expect(service.listRequests().length).toBeLessThanOrEqual(2);
	});

	it('keeps the columns of each row if rows ask for the same client', async () => {
		const service = await startService({ clients: 5 });
		const [id] = service.ids();
		const { json } = await service.engine.run({
			parameters: { ...byReference(id), options: { includeInput: true, fields: ['reference_id'] } },
			input: [{ json: { row: 1 } }, { json: { row: 2 } }],
		});
		expect(json).toEqual([
			{ row: 1, reference_id: id },
			{ row: 2, reference_id: id },
		]);
	});

	it('outputs a row for each client with its email address', async () => {
		const service = await startService({ clients: 5 });
		const [{ email }] = service.app.environment('sandbox').served();
		service.app.environment('sandbox').clients.add({ email });
		const { json } = await service.engine.run({
			parameters: { ...byEmail(email), options: { includeInput: true, fields: ['reference_id'] } },
			input: [{ json: { row: 1 } }],
		});
		expect(json).toHaveLength(2);
		expect(json.every(({ row }) => row === 1)).toBe(true);
	});

	it('renames an input field with the name of a client field that is not returned', async () => {
		const service = await startService({ clients: 5 });
		const [id] = service.ids();
		const { json } = await service.engine.run({
			parameters: { ...byReference(id), options: { includeInput: true, fields: ['reference_id'] } },
			input: [{ json: { email: 'of the row' } }],
		});
		expect(json).toEqual([{ input_email: 'of the row', reference_id: id }]);
	});

	it('renames an input field again if its new name is taken, too', async () => {
		const service = await startService({ clients: 5 });
		const [id] = service.ids();
		const { json } = await service.engine.run({
			parameters: { ...byReference(id), options: { includeInput: true, fields: ['reference_id'] } },
			input: [{ json: { reference_id: 'a', input_reference_id: 'b' } }],
		});
		expect(json).toEqual([{ input_input_reference_id: 'a', input_reference_id: 'b', reference_id: id }]);
	});

	it('is off by default', async () => {
		const service = await startService({ clients: 5 });
		const { json } = await service.engine.run({
			parameters: { ...byReference(service.ids()[0]), options: { fields: ['reference_id'] } },
			input: [{ json: { row: 1 } }],
		});
		expect(json).toEqual([{ reference_id: service.ids()[0] }]);
	});
});

describe('Find Client for rows of which some cannot be found', () => {
	const ADVICE = 'set "On Error" in the settings of this node to "Continue (using error output)"';
	const input = [{ json: { id: 'ONB-0' } }, { json: { id: '' } }];

	it.each([
		['ONB-0', 'No client has the reference ID "ONB-0"', 2],
		['', '"Reference ID" is empty. Enter a value, or check its expression', 2],
	])('counts the row from 1 and names the error output when it stops (%j)', async (id, message, item) => {
		const service = await startService({ clients: 5 });
		const { error } = await service.engine.run({
			parameters: { ...byReference('={{ $json.id }}'), options: { errorIfNotFound: true } },
			input: [{ json: { id: service.ids()[0] } }, { json: { id } }],
		});
		expect(error).toMatchObject({
			message,
			description: expect.stringContaining(`This is item ${item} of 2: n8n's [item ${item - 1}] counts from 0.`),
		});
		expect(error?.description).toContain(ADVICE);
	});

	it('says nothing of other items if there is only one', async () => {
		const service = await startService({ clients: 5 });
		const { error } = await service.engine.run({ parameters: byReference('={{ $json.id }}'), input: [input[1]] });
		expect(error?.description ?? '').not.toContain('item');
	});

	it('names the error output in the hint about items without a client', async () => {
		const service = await startService({ clients: 5 });
		const { hints } = await service.engine.run({
			parameters: byReference('={{ $json.id }}'),
			input: [{ json: { id: service.ids()[0] } }, input[0]],
		});
		expect(hints).toEqual([
			'No client was found for 1 of 2 items. The first one: No client has the reference ID "ONB-0". To get the items without a client, turn on "Error If Not Found", and set "On Error" in the settings of this node to "Continue (using error output)".',
		]);
	});
});
