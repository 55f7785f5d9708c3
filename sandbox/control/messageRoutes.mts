import { ENVIRONMENT_NAMES } from '../endpoints/environment.mts';
import { readObject } from './clientInput.mts';
import { MOST_CHARACTERS } from './messages.mts';
import { readJson, type Route } from './route.mts';

const EXAMPLE = 'Send a text: {"text": "Ada was declined"}.';

function readText(body: string): string {
	if (body.trim() === '') throw new Error(EXAMPLE);
	const { text, ...others } = readObject(readJson(body), EXAMPLE);
	if (typeof text !== 'string' || text.trim() === '' || Object.keys(others).length > 0) throw new Error(EXAMPLE);
	if (text.length > MOST_CHARACTERS)
		throw new Error(`text is limited to ${MOST_CHARACTERS.toLocaleString('en-US')} characters.`);
	return text;
}

export const messageRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/messages',
		help: 'the messages that workflows sent',
		act: ({ messages }) => messages.list(),
	},
	{
		method: 'POST',
		path: '/messages',
		help: 'send a message, as to a chat: {"text": "Ada was declined"}',
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
		help: 'remove all messages',
		act: ({ messages }) => {
			messages.clear();
			return messages.list();
		},
	},
];
