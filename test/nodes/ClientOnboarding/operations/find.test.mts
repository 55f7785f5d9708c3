import { afterAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../../sandbox/server.mts';
import { Engine } from '../../../support/engine.mts';
import { idsOf, sandboxCredential, startService } from '../../../support/service.mts';

const byReference = (referenceId: string) => ({ operation: 'find', findBy: 'referenceId', referenceId });
const byEmail = (email: string) => ({ operation: 'find', findBy: 'email', email });

describe('Find Client by reference ID in 100,000 clients', () => {
	const report: string[] = [];
	let sandbox: Sandbox | undefined;
	afterAll(async () => {
		await sandbox?.close();
		process.stdout.write(`\nRequests to find one of 100,000 clients\n${report.join('\n')}\n`);
	});

	// 100 rows first, then 100 pages of 1,001 rows.
	it.each([
		{ where: 'on the first page', row: 60, least: 1 },
		{ where: 'in the middle', row: 50_000, least: 51 },
		{ where: 'on the last page', row: 99_999, least: 101 },
		{ where: 'nowhere', row: undefined, least: 101 },
	])('stops at the hit $where', async ({ where, row, least }) => {
		sandbox ??= await startSandbox({ clients: 100_000, control: false });
		const { url, apiKey } = sandbox.environments.sandbox;
		const id = row === undefined ? 'NO-SUCH-ID' : sandbox.app.environment('sandbox').clients.ids()[row];
		sandbox.app.resetCounts();
		const { json, error } = await new Engine(sandboxCredential(url, apiKey)).run({ parameters: byReference(id) });
		const asked = sandbox.app.counts().sandbox.list;
		report.push(`  ${where.padEnd(20)} ${String(asked).padStart(3)} requests, at least ${least}`);
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(row === undefined ? [] : [id]);
		expect(asked).toBeGreaterThanOrEqual(least);
		expect(asked).toBeLessThan(least + 5);
	});
});

describe('Find Client by e-mail', () => {
	it('gives every client with the address, in one request where the service filters by it', async () => {
		const service = await startService({ clients: 300 });
		const [{ email }] = service.app.environment('sandbox').served();
		service.app.environment('sandbox').clients.add({ email });
		const { json } = await service.engine.run({ parameters: byEmail(email) });
		const expected = [...service.app.environment('sandbox').served()].filter((client) => client.email === email);
		expect(expected.length).toBeGreaterThan(1);
		expect(idsOf(json)).toEqual(idsOf(expected));
		expect(service.listRequests().map(({ query }) => query.client_email)).toEqual([email]);
	});

	it.each(['exact', 'contains', 'group-name', 'ignored'] as const)(
		'finds it in other letters too (%s)',
		async (emailFilter) => {
			const service = await startService({ clients: 300, dialect: { emailFilter } });
			const { email, reference_id: id } = [...service.app.environment('sandbox').served()][200];
			const { json } = await service.engine.run({ parameters: byEmail(` ${email.toUpperCase()} `) });
			expect(idsOf(json)).toContain(id);
			expect(json.every((client) => client.email === email)).toBe(true);
		},
	);
});

describe('A client that is not there', () => {
	it.each([
		[byReference('ONB-0'), 'No client has the reference ID "ONB-0"'],
		[byEmail('nobody@example.com'), 'No client has the e-mail address "nobody@example.com"'],
	])('gives no item, or with the option an error that repeats what was looked for: %j', async (parameters, message) => {
		const service = await startService({ clients: 30 });
		expect(await service.engine.run({ parameters })).toMatchObject({ json: [], error: undefined });
		const { error } = await service.engine.run({ parameters: { ...parameters, options: { errorIfNotFound: true } } });
		expect(error).toMatchObject({ name: 'NodeOperationError', message, context: { itemIndex: 0 } });
	});
});

describe('Bad values of Find Client', () => {
	it.each([
		[byReference('={{ $json.nothing }}'), '"Reference ID" is empty'],
		[byReference('  '), '"Reference ID" is empty'],
		[byEmail('={{ "" }}'), '"Email" is empty'],
		[{ operation: 'find', findBy: 'phone', phone: '1' }, '"Find By" has no choice "phone"'],
		[{ ...byEmail('a@b.c'), options: { timeout: 'x' } }, '"Timeout" has to be a number'],
		[{ ...byEmail('a@b.c'), options: { pageSize: -1 } }, '"Page Size" has to be a whole number'],
		[{ ...byEmail('a@b.c'), options: { parallelRequests: 99 } }, '"Parallel Requests" has to be'],
	])('%j name the field and cost no request', async (parameters, message) => {
		const service = await startService();
		const { error } = await service.engine.run({ parameters });
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});
});

describe('Find Client', () => {
	it('gives only the fields that were chosen', async () => {
		const service = await startService({ clients: 30 });
		const [id] = service.ids();
		const { json } = await service.engine.run({
			parameters: { ...byReference(id), options: { fields: ['reference_id'] } },
		});
		expect(json).toEqual([{ reference_id: id }]);
	});
});
