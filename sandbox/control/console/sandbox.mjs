import { $, copyText } from './page.mjs';

const PLACES = ['clients', 'client', 'settings', 'faults', 'messages'];

/** Shared by all parts of the page. */
export const shared = {
	environment: 'sandbox',
	options: undefined,
	state: undefined,
};

/** Its message is shown on the page. */
class Problem extends Error {}

/** A path of the control interface, for the chosen environment unless another is given. */
export function addressOf(path, parameters = {}, environment = shared.environment) {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, value);
	if (environment !== 'sandbox') search.set('environment', environment);
	return search.size > 0 ? `${path}?${search}` : path;
}

export async function call(method, address, body) {
	const response = await fetch(address, { method, body: body && JSON.stringify(body) }).catch(() => {
		throw new Problem('The sandbox is not responding. Check that it is running, then try again.');
	});
	const content = await response.json();
	if (!response.ok) throw new Problem(content.message);
	return content;
}

/** In a shell of Linux or macOS, text between single quotes is taken as it is. */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function writeCommand(method, address, body) {
	const data = body ? ` -d ${quote(JSON.stringify(body))}` : '';
	return `curl -X ${method} ${quote(`${location.origin}${address}`)}${data}`;
}

export function hideCommand() {
	$('command').hidden = true;
}

/** In another environment, or after a restart, earlier actions cannot be undone. */
export function clearActions() {
	hideCommand();
	for (const place of PLACES) showProblem(place, '');
}

function showCommand(what, command, undo) {
	$('command').hidden = false;
	$('command-what').textContent = $('command-what').title = what;
	$('command-text').textContent = command;
	$('command-undo').hidden = !undo;
	$('command-undo').onclick = () => {
		$('command-undo').hidden = true;
		undo();
	};
	$('announce').textContent = what;
}

export async function copyCommand() {
	await copyText($('command-text').textContent, $('command-copy'), $('command-text'));
}

/** Errors of the page itself go to the browser's console. */
export function readProblem(error) {
	if (error instanceof Problem) return error.message;
	throw error;
}

export function showProblem(place, message) {
	$(`${place}-problem`).hidden = message === '';
	$(`${place}-problem`).textContent = message;
}

/**
 * Does an action and shows the curl command for it, or shows at `place` why it was refused. `what` describes the result.
 * `what` and `undo` get the response.
 */
export async function act(place, what, { method, address, body, undo }) {
	showProblem(place, '');
	const { environment } = shared;
	try {
		const answer = await call(method, address, body);
		if (environment === shared.environment)
			showCommand(what(answer), writeCommand(method, address, body), undo && (() => undo(answer)));
		return answer;
	} catch (error) {
		showProblem(place, readProblem(error));
		return undefined;
	}
}
