import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Engine, sandboxCredential } from '../../support/engine.mts';
import { forgetSecret, trackSecret } from '../../support/secrets.mts';
import { countLeftOpen } from './sockets.mts';

/** A response as it goes over the wire. */
export interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

export interface RawRequest {
	endpoint: 'token' | 'list';
	/** The API key or token of the request. */
	secret: string;
	/** The number of requests to this endpoint so far, including this one. */
	count: number;
}

export interface RawService {
	url: string;
	host: string;
	apiKey: string;
	token: string;
	engine: Engine;
	asked: { token: number; list: number };
	/** Ends the service. Returns how many connections the client had left open. */
	close(): Promise<number>;
}

type Answerer = (request: RawRequest, service: RawService) => RawAnswer | ((response: ServerResponse) => void);

/** A server that responds with exactly the given bytes, and an n8n that uses it as the service. */
export async function serveRaw(answer: Answerer): Promise<RawService> {
	const asked = { token: 0, list: 0 };
	const apiKey = `key-${randomUUID()}`;
	const token = `token-${randomUUID()}`;
	[apiKey, token].forEach(trackSecret);
	const server = createServer((request, response) => {
		const endpoint = request.url?.includes('generate-access-token') ? 'token' : 'list';
		const secret = readSecret(request);
		asked[endpoint] += 1;
		const answered = answer({ endpoint, secret, count: asked[endpoint] }, service);
		if (typeof answered === 'function') return answered(response);
		response.writeHead(answered.status, { ...answered.headers, 'content-length': answered.body.length });
		response.end(answered.body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const url = `http://${host}`;
	const service: RawService = {
		url,
		host,
		apiKey,
		token,
		engine: new Engine(sandboxCredential(url, apiKey)),
		asked,
		async close() {
			const leftOpen = await countLeftOpen(url);
			server.closeAllConnections();
			server.close();
			[apiKey, token].forEach(forgetSecret);
			return leftOpen;
		},
	};
	return service;
}

export function json(body: unknown, status = 200): RawAnswer {
	return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}

function readSecret({ headers }: IncomingMessage): string {
	return String(headers['api-key'] ?? headers.authorization ?? '').replace(/^Bearer /, '');
}
