import { describe, expect, it } from '@jest/globals';
import { NodeOperationError, type INodeParameters } from 'n8n-workflow';
import { makeNode } from '../../support/engine.mts';
import { startService } from '../../support/service.mts';

/** Each makes the second of three input items fail. */
const WAYS: Array<{ name: string; parameters: INodeParameters; message: RegExp; type?: string; clients?: number }> = [
	{ name: 'a bad value', parameters: { limit: '={{ $json.isBad ? 0 : 1 }}' }, message: /^"Limit" must be/ },
	{
		name: 'an empty filter',
		parameters: { filters: { clientEmail: '={{ $json.isBad ? "" : "all" }}' } },
		message: /^"Client Email" is empty/,
	},
	{
		name: 'an expression that cannot be evaluated',
		parameters: { limit: '={{ $json.isBad ? $("Nowhere").item : 1 }}' },
		message: /node doesn't exist/,
	},
	{
		name: 'a client that is not there',
		parameters: {
			operation: 'find',
			referenceId: 'x',
			options: { errorIfNotFound: '={{ $json.isBad ? "true" : "false" }}' },
		},
		message: /^No client has the reference ID "x"/,
	},
	{
		name: 'a request the service refuses',
		parameters: { filters: { clientEmail: '={{ $json.isBad ? "bad@example.com" : "good@example.com" }}' } },
		message: /^127\.0\.0\.1:\d+ rejected the request \(status 409\): Not with me$/,
		// A short list is read without the filter that is refused.
		clients: 400,
		type: 'NodeApiError',
	},
];

const input = [false, true, false].map((isBad) => ({ json: { isBad } }));

const start = async (clients = 3) =>
	await startService({
		clients,
		maxPageLimit: 25,
		behavior: { overLimit: 'capped' },
		onAnswer: ({ query }, answer) => {
			if (query.client_email === 'bad@example.com') {
				Object.assign(answer, { status: 409, body: { status_code: 409, message: 'Not with me', data: null } });
			}
		},
	});

describe.each(WAYS)('An input item with $name', ({ parameters, message, clients, type = 'NodeOperationError' }) => {
	it('has its index in the error', async () => {
		const service = await start(clients);
		const { error } = await service.engine.run({ parameters, input });
		expect(error).toMatchObject({ name: type, context: { itemIndex: 1 } });
		expect(error?.message).toMatch(message);
	});

	it('returns its message as an item with Continue On Fail while the other items are processed', async () => {
		const service = await start(clients);
		const { items, error } = await service.engine.run({ parameters, input, continueOnFail: true });
		expect(error).toBeUndefined();
		const failed = items.filter(({ json }) => 'error' in json);
		expect(failed).toEqual([{ json: { error: expect.stringMatching(message) }, pairedItem: { item: 1 } }]);
	});
});

describe('An error that all input items share', () => {
	it.each([
		{ operation: 'find', referenceId: '={{ $json.id }}' },
		{ operation: 'find', findBy: 'email', email: '={{ $json.id }}@example.com' },
		{ operation: 'list', filters: { requestStatus: ['pending'] } },
	])('has the index of the first one (%j)', async (parameters) => {
		const service = await startService({ clients: 3, faults: ['html'] });
		const { error } = await service.engine.run({ parameters, input: [{ json: { id: 'a' } }, { json: { id: 'b' } }] });
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
	});
});

describe('An error that n8n itself throws', () => {
	it('also has the index of the input item', async () => {
		const service = await startService({ clients: 3 });
		// As n8n does for a node without a credential.
		service.engine.credentials.getDecrypted = async () => {
			throw new NodeOperationError(makeNode({}), 'Node does not have any credentials set');
		};
		const { error } = await service.engine.run({ input });
		expect(error).toMatchObject({ message: 'Node does not have any credentials set', context: { itemIndex: 0 } });
	});
});

describe('The operation that n8n adds to every node, Custom API Call,', () => {
	it('points to the HTTP Request node and sends no request', async () => {
		const service = await startService({ clients: 3 });
		const { error } = await service.engine.run({ parameters: { operation: '__CUSTOM_API_CALL__' } });
		expect(error?.message).toMatch(/^Use the HTTP Request node for custom API calls\./);
		expect(service.requests).toEqual([]);
	});
});
