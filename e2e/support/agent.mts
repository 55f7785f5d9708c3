import { randomUUID } from 'node:crypto';
import type { Credential, N8nClient, Run, WorkflowNode } from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../tools/n8n/examples.mts';
import { startModel, type ToolCall } from './model.mts';
import { VERSION } from './shared.mts';

interface Question {
	question: string;
	/** Of the tool. */
	parameters: Record<string, unknown>;
	choose: (tool: ToolCall['tool']) => object;
}

/** Lets an AI Agent with one tool answer a question. The model calls the tool once and repeats its output. */
export async function askAgent(n8n: N8nClient, credential: Credential, { question, parameters, choose }: Question) {
	const model = await startModel(choose);
	const openAi = await n8n.createCredential(`Model ${randomUUID()}`, 'openAiApi', { apiKey: 'none', url: model.url });
	const run = await runAgent(n8n, question, openAi, {
		name: 'Client Onboarding',
		type: 'n8n-nodes-client-onboarding.clientOnboardingTool',
		typeVersion: 1,
		parameters: { descriptionType: 'auto', ...parameters },
		credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
	});
	await model.close();
	return { run, calls: model.calls, answer: run.items('AI Agent')[0]?.output };
}

async function runAgent(n8n: N8nClient, question: string, openAi: Credential, tool: WorkflowNode): Promise<Run> {
	const nodes: WorkflowNode[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			name: 'AI Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: VERSION.startsWith('1.') ? 2.2 : 3.1,
			parameters: { promptType: 'define', text: question, options: {} },
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
			credentials: { openAiApi: { id: openAi.id, name: openAi.name } },
		},
		tool,
	];
	const to = (type: string) => ({ [type]: [[{ node: 'AI Agent', type, index: 0 }]] });
	const workflow = await n8n.createWorkflow({
		name: `Agent ${randomUUID()}`,
		nodes: nodes.map((node, index) => ({ id: randomUUID(), position: [220 * index, 0], ...node })),
		connections: { Start: to('main'), Model: to('ai_languageModel'), [tool.name]: to('ai_tool') },
		settings: { executionOrder: 'v1' },
	});
	return await n8n.run(workflow, 'Start');
}
