import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Credential } from '../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../tools/n8n/examples.mts';
import { askAgent } from './support/agent.mts';
import type { ToolCall } from './support/model.mts';
import { startService, type Service } from './support/service.mts';
import { sharedN8n } from './support/shared.mts';

const { client: n8n } = sharedN8n();
const fromAi = (key: string, description: string) => `={{ $fromAI('${key}', '${description}', 'string') }}`;

let service: Service;
let credential: Credential;
beforeAll(async () => {
	service = await startService({ clients: 250 });
	credential = await n8n.createCredential(`Agent ${randomUUID()}`, CREDENTIAL_TYPE, service.credential);
});

const ask = async (question: string, parameters: Record<string, unknown>, choose: (tool: ToolCall['tool']) => object) =>
	await askAgent(n8n, credential, { question, parameters, choose });

describe('An AI agent', () => {
	it('lists clients with a status in another case and with spaces, and answers with them', async () => {
		const { run, calls, answer } = await ask(
			'Who is still pending?',
			{
				operation: 'list',
				returnAll: false,
				limit: 5,
				filters: { requestStatus: fromAi('request_status', 'pending, declined, completed, accepted or requested') },
				options: { fields: ['client_name', 'request_status'] },
			},
			() => ({ request_status: 'PENDING ' }),
		);
		expect(run.error).toBeUndefined();
		expect(calls).toHaveLength(1);
		expect(calls[0].tool.name).toBe('Client_Onboarding');
		expect(calls[0].tool.description).toBe('List clients in Client Onboarding');
		expect(calls[0].tool.parameters).toMatchObject({
			type: 'object',
			properties: {
				request_status: { type: 'string', description: 'pending, declined, completed, accepted or requested' },
			},
		});

		const pending = [...service.app.environment('sandbox').served()].filter(({ request_status: s }) => s === 'Pending');
		expect(pending.length).toBeGreaterThan(5);
		const result = calls[0].result as Array<Record<string, unknown>>;
		expect(result.map(({ client_name: name }) => name)).toEqual(
			pending.slice(0, 5).map(({ client_name: name }) => name),
		);
		expect(result.at(-1)).toMatchObject({ more_clients: 'More clients match. The list was cut at the limit of 5.' });
		expect(result.every((client) => !('email' in client))).toBe(true);
		expect(answer).toContain(pending[0].client_name);
	});

	it('counts clients with a tool whose description says so', async () => {
		const { calls, answer } = await ask(
			'How many clients do we have?',
			{ operation: 'count', filters: {}, options: {} },
			() => ({}),
		);
		expect(calls[0].tool.description).toBe('Count clients in Client Onboarding');
		expect(calls[0].result).toMatchObject([{ total: 250 }]);
		expect(answer).toContain('"total":250');
	});

	it('finds a client by the email address in the question', async () => {
		const { email, reference_id: id } = [...service.app.environment('sandbox').served()][120];
		const { calls } = await ask(
			`What about ${email}?`,
			{ operation: 'find', findBy: 'email', email: fromAi('email', 'The email address of the client'), options: {} },
			() => ({ email: email.toUpperCase() }),
		);
		expect(calls[0].tool.description).toBe('Find client in Client Onboarding');
		expect(calls[0].result).toEqual(expect.arrayContaining([expect.objectContaining({ reference_id: id })]));
	});

	it('gets a warning in the output of the tool if clients may be missing', async () => {
		const wrongTotals = await startService({ clients: 230, behavior: { totals: 'too-high' } });
		const own = await n8n.createCredential(`Agent ${randomUUID()}`, CREDENTIAL_TYPE, wrongTotals.credential);
		const parameters = { operation: 'count', filters: {}, options: {} };
		const { calls } = await askAgent(n8n, own, { question: 'How many?', parameters, choose: () => ({}) });
		expect(calls[0].result).toMatchObject([
			{ total: 230, warning: expect.stringContaining('reports 267 clients but returned 230') },
		]);
	});

	it('lists groups', async () => {
		const { calls } = await ask('Which groups are there?', { operation: 'listGroups', options: {} }, () => ({}));
		expect(calls[0].tool.description).toBe('List groups in Client Onboarding');
		expect((calls[0].result as unknown[]).length).toBeGreaterThan(5);
	});

	it('lists all clients if the model fills in a filter as blank, "none" or "all"', async () => {
		for (const request_status of ['', 'none', 'all']) {
			const { calls } = await ask(
				'Who are our clients?',
				{
					operation: 'list',
					returnAll: true,
					filters: { requestStatus: fromAi('request_status', 'A status') },
					options: { fields: ['reference_id'] },
				},
				() => ({ request_status }),
			);
			expect(calls[0].result).toHaveLength(250);
		}
	});
});
