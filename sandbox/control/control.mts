import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { App } from '../app.mts';
import { ENVIRONMENT_NAMES, type EnvironmentName } from '../endpoints/environment.mts';
import { findStranger } from './origin.mts';
import { NotFound, ROUTES } from './routes.mts';

function readEnvironment(parameters: URLSearchParams): EnvironmentName {
	const name = parameters.get('environment') ?? 'sandbox';
	const environment = ENVIRONMENT_NAMES.find((candidate) => candidate === name);
	if (environment) return environment;
	throw new Error(`environment must be one of: ${ENVIRONMENT_NAMES.join(', ')}.`);
}

function readReferenceId(text = ''): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw new Error(`"${text}" is no reference_id: it is not URL-encoded.`);
	}
}

/** Undefined where the connection broke before the body was complete. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	try {
		for await (const chunk of request) chunks.push(chunk);
	} catch {
		return undefined;
	}
	return request.complete ? Buffer.concat(chunks).toString() : undefined;
}

function act(app: App, method: string, url: string, body: string): { status: number; answer: unknown } {
	const [path, search] = url.split(/\?(.*)/s);
	const [, referenceId] = /^\/clients\/([^/]+)$/.exec(path) ?? [];
	const pattern = referenceId === undefined ? path : '/clients/:reference_id';
	const routes = ROUTES.filter((route) => route[1] === pattern);
	if (routes.length === 0) {
		return refuse(404, `There is nothing at ${path}. GET / lists what there is.`);
	}
	const route = routes.find((candidate) => candidate[0] === method);
	if (!route) return refuse(405, `${path} takes ${routes.map(([allowed]) => allowed).join(', ')}.`);
	try {
		const environment = readEnvironment(new URLSearchParams(search));
		const call = { environment, referenceId: readReferenceId(referenceId), body };
		return { status: 200, answer: route[3](app, call) };
	} catch (error) {
		return refuse(error instanceof NotFound ? 404 : 400, (error as Error).message);
	}
}

function refuse(status: number, message: string) {
	return { status, answer: { message } };
}

function reply(response: ServerResponse, { status, answer }: { status: number; answer: unknown }) {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(`${JSON.stringify(answer, null, '\t')}\n`);
}

/** The interface to steer a running sandbox. It never shows a token or an API key. */
export function createControl(app: App, host: string): RequestListener {
	return async (request, response) => {
		response.on('error', () => {});
		const complaint = findStranger(request.headers, host);
		if (complaint !== undefined) {
			reply(response, refuse(403, complaint));
			return;
		}
		const body = await readBody(request);
		// Whoever broke off may have meant more than arrived, and hears no answer anyway.
		if (body === undefined) response.destroy();
		else reply(response, act(app, request.method ?? '', request.url ?? '', body));
	};
}
