import { $, create } from './page.mjs';
import { shared } from './sandbox.mjs';

const KEPT_LINES = 200;

/** Requests arrive in bursts, so they are drawn once a frame. */
let waiting = [];

function decode(path) {
	try {
		return decodeURIComponent(path.replaceAll('+', ' '));
	} catch {
		return path;
	}
}

/** The label of a fault, without its parameters. */
function labelOf(fault) {
	const [kind] = fault.split(':');
	return shared.options?.faults.find((known) => known.kind === kind)?.label ?? kind;
}

function createLine({ at, environment, method, path, status, ms, faults }) {
	const isBad = status === undefined || status >= 300;
	const time = new Date(at).toLocaleTimeString('en-US');
	return create(
		'li',
		{ className: isBad ? 'bad' : '' },
		create('time', { dateTime: at }, time),
		create('span', { className: 'code' }, status ?? 'no response'),
		create(
			'span',
			{},
			environment,
			create('span', { className: 'fault' }, faults.map((fault) => ` · ${labelOf(fault)}`).join('')),
		),
		create('span', { className: 'ms' }, `${ms.toLocaleString('en-US')} ms`),
		create('span', { className: 'path' }, `${method} ${decode(path)}`),
	);
}

function draw() {
	$('log').prepend(...waiting.slice(-KEPT_LINES).map(createLine).reverse());
	while ($('log').children.length > KEPT_LINES) $('log').lastChild.remove();
	$('log-empty').hidden = $('log').children.length > 0;
	waiting = [];
}

export function showRequest(request) {
	// A background page is not drawn. It keeps no more than it will show.
	if (waiting.length >= 2 * KEPT_LINES) waiting = waiting.slice(-KEPT_LINES);
	if (waiting.push(request) === 1) requestAnimationFrame(draw);
}

/** Replaces the whole log. */
export function showRequests(requests) {
	$('log').replaceChildren();
	waiting = requests;
	draw();
}

export function connectLog() {
	$('clear-log').onclick = () => showRequests([]);
}
