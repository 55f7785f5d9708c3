import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ToolCall {
	/** What the model was told about the tool. */
	tool: { name: string; description: string; parameters: Record<string, unknown> };
	/** What the tool gave back. */
	result: unknown;
}

interface Message {
	role: string;
	content: string;
}

interface Completion {
	messages: Message[];
	tools?: Array<{ function: ToolCall['tool'] }>;
}

/**
 * A language model that speaks the OpenAI wire format and follows a script: it calls one tool, the first unless a name is
 * given, with what `choose` says, then answers with what came back.
 */
export async function startModel(choose: (tool: ToolCall['tool']) => object, name?: string) {
	const calls: ToolCall[] = [];
	const server = createServer(async (request, response) => {
		const { messages, tools = [] } = (await json(request)) as Completion;
		const { function: tool } = tools.find((candidate) => candidate.function.name === name) ?? tools[0];
		const said = messages.filter(({ role }) => role === 'tool').at(-1)?.content;
		if (said !== undefined) calls.push({ tool, result: parse(said) });
		const message =
			said === undefined
				? { role: 'assistant', content: null, tool_calls: [callOf(tool, choose(tool))] }
				: { role: 'assistant', content: `The tool says: ${said}` };
		const finish_reason = said === undefined ? 'tool_calls' : 'stop';
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				id: 'completion-1',
				object: 'chat.completion',
				created: 0,
				model: 'scripted',
				choices: [{ index: 0, message, finish_reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref());
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		/** Every call of a tool and what came of it. */
		calls,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function callOf({ name }: ToolCall['tool'], choice: object) {
	return { id: 'call-1', type: 'function', function: { name, arguments: JSON.stringify(choice) } };
}

/** Agents hand over what a tool gave as JSON, some versions wrapped in one more list. */
function parse(text: string): unknown {
	const value: unknown = JSON.parse(text);
	const inner =
		Array.isArray(value) && value.length === 1 && 'response' in Object(value[0]) ? value[0].response : value;
	return typeof inner === 'string' ? JSON.parse(inner) : inner;
}
