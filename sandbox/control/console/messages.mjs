import { $, count, create, showBadge } from './page.mjs';
import { act, call } from './sandbox.mjs';

let shown = 0;

function createMessage({ at, text }) {
	const time = create('time', { dateTime: at }, new Date(at).toLocaleTimeString('en-US'));
	return create('li', {}, time, create('p', {}, text));
}

export function connectMessages() {
	$('messages-address').textContent = `${location.origin}/messages`;
	$('messages-clear').onclick = () =>
		act('messages', () => 'All messages cleared', { method: 'DELETE', address: '/messages' });
}

export async function showMessages({ messages }) {
	showBadge('messages', messages);
	$('messages-count').textContent = messages === 0 ? 'No messages yet' : `${count(messages, 'message')} received`;
	$('messages-clear').disabled = messages === 0;
	if (messages === shown) return;
	shown = messages;
	$('messages').replaceChildren(...(await call('GET', '/messages')).map(createMessage));
}
