import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { App } from '../app.mts';
import { ENVIRONMENT_NAMES, type EnvironmentName } from '../endpoints/environment.mts';
import type { ServedRequest } from '../requests.mts';
import { Events } from './events.mts';
import { findConsoleFile } from './files.mts';
import { Liveliness } from './liveliness.mts';
import { Messages } from './messages.mts';
import { refuseOrigin } from './origin.mts';
import { NotFound, type Controlled } from './route.mts';
import { ROUTES } from './routes.mts';
import { describeState } from './state.mts';

const MOST_BODY_BYTES = 1_000_000;

/** The page loads only what is served here, and no other page can show it in a frame. */
const PAGE_HEADERS = {
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'referrer-policy': 'no-referrer',
};
const HEADERS = {
	'cache-control': 'no-store',
	'cross-origin-resource-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
};

export interface Control {
	listener: RequestListener;
	/** Adds a request to the log that the console shows. */
	note(request: ServedRequest): void;
	stop(): void;
}

interface Reply {
	status: number;
	answer: unknown;
}

function refuse(status: number, message: string): Reply {
	return { status, answer: { message } };
}

function readEnvironment(parameters: URLSearchParams): EnvironmentName {
	const name = parameters.get('environment') ?? 'sandbox';
	const environment = ENVIRONMENT_NAMES.find((candidate) => candidate === name);
	if (environment) return environment;
	throw new Error(`environment must be one of: ${ENVIRONMENT_NAMES.join(', ')}.`);
}

function demandKnown(parameters: URLSearchParams, known: readonly string[]) {
	for (const name of parameters.keys()) {
		if (!known.includes(name)) throw new Error(`There is no parameter "${name}". Choose from: ${known.join(', ')}.`);
		if (parameters.getAll(name).length > 1) throw new Error(`${name} was sent more than once.`);
	}
}

function readReferenceId(text = ''): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw new Error(`"${text}" is not a URL-encoded reference_id.`);
	}
}

interface Body {
	/** Up to the limit. */
	content: Buffer;
	bytes: number;
}

/** Undefined if the connection was lost before the body was complete. */
async function readBody(request: IncomingMessage): Promise<Body | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		// To the end, whatever its size: a client that is still sending does not read the response.
		for await (const chunk of request) {
			bytes += chunk.length;
			if (bytes <= MOST_BODY_BYTES) chunks.push(chunk);
		}
	} catch {
		return undefined;
	}
	return request.complete ? { content: Buffer.concat(chunks), bytes } : undefined;
}

function decode(content: Buffer): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(content);
	} catch {
		throw new Error('The body is not UTF-8.');
	}
}

function act(controlled: Controlled, method: string, url: string, content: Buffer): Reply {
	const [path, search] = url.split(/\?(.*)/s);
	const [, referenceId] = /^\/clients\/([^/]+)$/.exec(path) ?? [];
	const pattern = referenceId === undefined ? path : '/clients/:reference_id';
	const routes = ROUTES.filter((route) => route.path === pattern);
	if (routes.length === 0) {
		return refuse(404, `${path} does not exist. GET / lists all paths.`);
	}
	const route = routes.find((candidate) => candidate.method === method);
	if (!route) return refuse(405, `${path} takes ${routes.map((allowed) => allowed.method).join(', ')}.`);
	try {
		const body = decode(content);
		const parameters = new URLSearchParams(search);
		demandKnown(parameters, ['environment', ...(route.parameters ?? [])]);
		if (body !== '' && !route.takesBody) throw new Error(`${method} ${pattern} takes no body.`);
		const environment = readEnvironment(parameters);
		const call = { environment, referenceId: readReferenceId(referenceId), parameters, body };
		return { status: 200, answer: route.act(controlled, call) };
	} catch (error) {
		return refuse(error instanceof NotFound ? 404 : 400, (error as Error).message);
	}
}

function reply(response: ServerResponse, { status, answer }: Reply, headers: Record<string, string> = {}) {
	response.writeHead(status, { 'content-type': 'application/json', ...HEADERS, ...headers });
	response.end(`${JSON.stringify(answer, null, '\t')}\n`);
}

/** A page for browsers. Other clients, such as curl, get the list of routes. */
function showPage({ method, url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
	const [path] = url.split('?');
	if (method !== 'GET' || (path === '/' && !headers.accept?.includes('text/html'))) return false;
	const file = findConsoleFile(path);
	if (file) response.writeHead(200, { 'content-type': file.type, ...HEADERS, ...PAGE_HEADERS }).end(file.content);
	return file !== undefined;
}

/** The interface that controls a running sandbox, for people and programs. It shows neither tokens nor API keys. */
export function createControl(app: App, host: string, addresses: Controlled['addresses']): Control {
	const live = (name: EnvironmentName) => new Liveliness(app.environment(name).clients);
	const liveliness = { sandbox: live('sandbox'), production: live('production') };
	const startedAt = new Date().toISOString();
	const controlled: Controlled = { app, addresses, startedAt, liveliness, messages: new Messages() };
	const events = new Events(() => describeState(controlled));

	const listener: RequestListener = async (request, response) => {
		response.on('error', () => {});
		const refusal = refuseOrigin(request.headers, host);
		if (refusal !== undefined) return reply(response, refuse(403, refusal), { connection: 'close' });
		if (showPage(request, response)) return;
		if (request.method === 'GET' && request.url === '/events') return events.open(response);
		const body = await readBody(request);
		// An incomplete request changes nothing, and its sender cannot receive a response.
		if (body === undefined) response.destroy();
		else if (body.bytes > MOST_BODY_BYTES) reply(response, refuse(413, 'The body is limited to 1 MB.'));
		else reply(response, act(controlled, request.method ?? '', request.url ?? '', body.content));
	};

	return {
		listener,
		note: (request) => events.note(request),
		stop() {
			events.close();
			for (const name of ENVIRONMENT_NAMES) controlled.liveliness[name].perMinute = 0;
		},
	};
}
