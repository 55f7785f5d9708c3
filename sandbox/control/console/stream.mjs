const NAME = 'sandbox events';
const KEPT_REQUESTS = 200;

/**
 * A browser allows few connections to one address, and a stream holds one of them. So one open page listens and passes
 * events on to the others. `receive` gets { kind, data }, where kind is state, request, requests or connection.
 */
export function listen(receive) {
	const channel = new BroadcastChannel(NAME);
	channel.onmessage = ({ data: message }) => {
		if (message.kind !== 'ask') receive(message);
	};
	channel.postMessage({ kind: 'ask' });
	// Held until the page is closed. Then another page takes over.
	void navigator.locks.request(NAME, () => new Promise(() => lead(channel, receive)));
}

function lead(channel, receive) {
	const known = new Map();
	const requests = [];
	const emit = (message) => {
		receive(message);
		channel.postMessage(message);
	};
	const save = (kind, data) => {
		known.set(kind, { kind, data });
		emit({ kind, data });
	};
	channel.onmessage = ({ data: message }) => {
		if (message.kind !== 'ask') return;
		for (const last of known.values()) channel.postMessage(last);
		channel.postMessage({ kind: 'requests', data: requests });
	};
	open();

	function open() {
		const events = new EventSource('/events');
		events.onopen = () => save('connection', true);
		events.onerror = () => {
			save('connection', false);
			// The browser reconnects after a lost connection, but not after a refusal.
			if (events.readyState === EventSource.CLOSED) setTimeout(open, 2_000);
		};
		const on = (name, act) => events.addEventListener(name, ({ data }) => act(JSON.parse(data)));
		on('state', (state) => save('state', state));
		on('requests', (all) => {
			requests.splice(0, Infinity, ...all);
			emit({ kind: 'requests', data: all });
		});
		on('request', (request) => {
			if (requests.push(request) > KEPT_REQUESTS) requests.shift();
			emit({ kind: 'request', data: request });
		});
	}
}
