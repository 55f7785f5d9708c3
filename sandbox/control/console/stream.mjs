const NAME = 'sandbox events';
const KEPT_REQUESTS = 200;

/**
 * A browser has few connections to one address, and a stream keeps one: of all open pages one listens and tells the others.
 * `hear` is told { kind, data }: state, request, requests, and whether the sandbox is there.
 */
export function listen(hear) {
	const channel = new BroadcastChannel(NAME);
	channel.onmessage = ({ data: message }) => {
		if (message.kind !== 'ask') hear(message);
	};
	channel.postMessage({ kind: 'ask' });
	// Held until the page is closed; then the next one has it.
	void navigator.locks.request(NAME, () => new Promise(() => lead(channel, hear)));
}

function lead(channel, hear) {
	const known = new Map();
	const requests = [];
	const tell = (message) => {
		hear(message);
		channel.postMessage(message);
	};
	const remember = (kind, data) => {
		known.set(kind, { kind, data });
		tell({ kind, data });
	};
	channel.onmessage = ({ data: message }) => {
		if (message.kind !== 'ask') return;
		for (const answer of known.values()) channel.postMessage(answer);
		channel.postMessage({ kind: 'requests', data: requests });
	};
	open();

	function open() {
		const events = new EventSource('/events');
		events.onopen = () => remember('connection', true);
		events.onerror = () => {
			remember('connection', false);
			// A refusal, unlike a broken connection, is not tried again by the browser itself.
			if (events.readyState === EventSource.CLOSED) setTimeout(open, 2_000);
		};
		const on = (name, act) => events.addEventListener(name, ({ data }) => act(JSON.parse(data)));
		on('state', (state) => remember('state', state));
		on('requests', (all) => {
			requests.splice(0, Infinity, ...all);
			tell({ kind: 'requests', data: all });
		});
		on('request', (request) => {
			if (requests.push(request) > KEPT_REQUESTS) requests.shift();
			tell({ kind: 'request', data: request });
		});
	}
}
