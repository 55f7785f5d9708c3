import { $ } from './page.mjs';

const PLACES = ['clients', 'client', 'settings', 'faults', 'messages'];

/** What all parts of the page know. */
export const shared = {
	environment: 'sandbox',
	/** What there is to choose from. */
	options: undefined,
	/** What is true now. */
	state: undefined,
};

/** Whatever a person should be told of, in their words. */
class Told extends Error {}

/** A path of the control interface, for the environment that is looked at, or for the one that something was done in. */
export function addressOf(path, parameters = {}, environment = shared.environment) {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, value);
	if (environment !== 'sandbox') search.set('environment', environment);
	return search.size > 0 ? `${path}?${search}` : path;
}

export async function call(method, address, body) {
	const answer = await fetch(address, { method, body: body && JSON.stringify(body) }).catch(() => {
		throw new Told('Not done: the sandbox does not answer.');
	});
	const content = await answer.json();
	if (!answer.ok) throw new Told(content.message);
	return content;
}

/** For a shell of Linux or macOS: whatever stands between single quotes is plain text to it. */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function writeCommand(method, address, body) {
	const data = body ? ` -d ${quote(JSON.stringify(body))}` : '';
	return `curl -X ${method} ${quote(`${location.origin}${address}`)}${data}`;
}

export function hideCommand() {
	$('command').hidden = true;
}

/** In another environment, or after a restart, what was done before can neither be undone nor matters. */
export function forgetActions() {
	hideCommand();
	for (const place of PLACES) showProblem(place, '');
}

function showCommand(what, command, undo) {
	$('command').hidden = false;
	$('command-what').textContent = $('command-what').title = what;
	$('command-text').textContent = command;
	$('command-undo').hidden = !undo;
	$('command-undo').onclick = () => {
		// Once is enough.
		$('command-undo').hidden = true;
		undo();
	};
	$('announce').textContent = what;
}

export async function copyCommand() {
	try {
		await navigator.clipboard.writeText($('command-text').textContent);
		$('command-copy').textContent = 'Copied';
	} catch {
		// Not every browser lets a page write there; the text can be copied by hand then.
		getSelection().selectAllChildren($('command-text'));
		$('command-copy').textContent = 'Now Ctrl-C';
	}
	setTimeout(() => ($('command-copy').textContent = 'Copy'), 1_500);
}

/** What to tell a person of it; a mistake of the page itself goes on to where developers look. */
export function readComplaint(error) {
	if (error instanceof Told) return error.message;
	throw error;
}

export function showProblem(place, message) {
	$(`${place}-problem`).hidden = message === '';
	$(`${place}-problem`).textContent = message;
}

/**
 * Does what a person asked for, says how to do it with curl, and says at `place` why it cannot be done. `what` tells what
 * has happened, `undo` takes it back; both are given the answer.
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
		showProblem(place, readComplaint(error));
		return undefined;
	}
}
