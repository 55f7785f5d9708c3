import { ENVIRONMENT_NAMES } from '../endpoints/environment.mts';
import { readObject } from './clientInput.mts';
import { MOST_LETTERS } from './messages.mts';
import { readJson, type Route } from './route.mts';

const EXAMPLE = 'Say what to tell: {"text": "Ada was declined"}.';

function readText(body: string): string {
	if (body.trim() === '') throw new Error(EXAMPLE);
	const { text, ...others } = readObject(readJson(body), EXAMPLE);
	if (typeof text !== 'string' || text.trim() === '' || Object.keys(others).length > 0) throw new Error(EXAMPLE);
	if (text.length > MOST_LETTERS) throw new Error(`text may have ${MOST_LETTERS.toLocaleString('en-US')} letters.`);
	return text;
}

export const messageRoutes: readonly Route[] = [
	{ method: 'GET', path: '/messages', help: 'what workflows have sent here', act: ({ messages }) => messages.list() },
	{
		method: 'POST',
		path: '/messages',
		help: 'what a workflow would send to a chat: {"text": "Ada was declined"}',
		takesBody: true,
		act: ({ app, messages }, { body }) =>
			messages.take(
				readText(body),
				ENVIRONMENT_NAMES.map((name) => app.environment(name).apiKey),
			),
	},
	{
		method: 'DELETE',
		path: '/messages',
		help: 'forget all messages',
		act: ({ messages }) => {
			messages.clear();
			return messages.list();
		},
	},
];
