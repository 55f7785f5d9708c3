import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ToolCall {
	/** The tool as described to the model. */
	tool: { name: string; description: string; parameters: Record<string, unknown> };
	/** The output of the tool. */
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
 * A language model with the API of OpenAI that follows a script: it calls one tool, the first unless a name is given, with
 * the result of `choose`, and answers with the output of the tool.
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
		/** All calls of tools with their output. */
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

/** Agents pass the output of a tool as JSON; some versions wrap it in another list. */
function parse(text: string): unknown {
	const value: unknown = JSON.parse(text);
	const inner =
		Array.isArray(value) && value.length === 1 && 'response' in Object(value[0]) ? value[0].response : value;
	return typeof inner === 'string' ? JSON.parse(inner) : inner;
}
