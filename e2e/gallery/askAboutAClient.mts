import { expect } from '@jest/globals';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startModel } from '../support/model.mts';
import { ada, bob, type Stage } from '../support/stage.mts';
import { until } from '../support/until.mts';

export const promise = 'answers a question in the chat, and an assistant that connects over MCP with a token';

const TOKEN = 'for-this-run-only';

export async function play(stage: Stage): Promise<void> {
	const client = await stage.add({ ...ada, request_status: 'Declined' });
	await stage.add(bob);
	const model = await startModel(() => ({ email: ada.email }), 'Find_Client');
	const credentials = [
		await stage.n8n.createCredential('Model of the gallery', 'openAiApi', { apiKey: 'none', url: model.url }),
		await stage.n8n.createCredential('Token of the gallery', 'httpBearerAuth', { token: TOKEN }),
	];
	const question = { sessionId: 'gallery', action: 'sendMessage', chatInput: 'What about ada@example.com?' };
	const { id } = await stage.create('ask-about-a-client', {}, { credentials });
	const workflow = await stage.n8n.pin(id, 'Chat', [question]);
	const run = await stage.n8n.run(workflow, 'Chat');
	await model.close();
	expect(run.error).toBeUndefined();
	expect(run.items('AI Agent')[0].output).toContain(client.reference_id);

	await stage.activate(workflow);
	let assistant = new McpClient({ name: 'gallery', version: '1.0.0' });
	// n8n accepts requests a moment after it reports the activation.
	await until(async () => {
		assistant = await connect(stage.n8n.url, TOKEN).catch(() => assistant);
		return assistant.getServerVersion() !== undefined;
	});
	await expect(connect(stage.n8n.url, 'another')).rejects.toThrow(/Authorization/);
	const { tools } = await assistant.listTools();
	expect(tools.map(({ name }) => name).sort()).toEqual(['Count_Clients', 'Find_Client', 'List_Clients']);
	const found = await assistant.callTool({ name: 'Find_Client', arguments: { email: ada.email } });
	expect(JSON.stringify(found.content)).toContain(client.reference_id);
	const counted = await assistant.callTool({ name: 'Count_Clients', arguments: {} });
	expect(JSON.stringify(counted.content)).toMatch(/total\W+2\b/);
	await assistant.close();
}

async function connect(url: string, token: string): Promise<McpClient> {
	const client = new McpClient({ name: 'gallery', version: '1.0.0' });
	const headers = { authorization: `Bearer ${token}` };
	await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/clients', url), { requestInit: { headers } }));
	return client;
}
