import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { Engine, sandboxCredential } from '../../support/engine.mts';
import { forgetSecret, trackSecret } from '../../support/secrets.mts';
import { countLeftOpen } from '../sockets.mts';

/** A response as it goes over the wire. */
export interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

export type Endpoint = 'token' | 'list';

export interface RawService {
	host: string;
	apiKey: string;
	token: string;
	engine: Engine;
	asked: Record<Endpoint, number>;
}

/** `secret`: the API key or token of the request. `count`: the number of requests to this endpoint so far. */
export type Answer = (
	request: { secret: string; count: number },
	service: RawService,
) => RawAnswer | ((response: ServerResponse) => void);

/** The response of the specification. */
const RIGHT: Record<Endpoint, Answer> = {
	token: (_request, { token }) => json(rightToken(token)),
	list: () => json(rightList(3)),
};

/** Runs n8n with a service that has these responses and is otherwise correct, with three clients. */
export async function withService(
	answers: Partial<Record<Endpoint, Answer>>,
	work: (service: RawService) => Promise<void>,
): Promise<void> {
	const secrets = { apiKey: `key-${randomUUID()}`, token: `token-${randomUUID()}` };
	Object.values(secrets).forEach(trackSecret);
	const server = createServer((request, response) => {
		const endpoint = request.url?.includes('generate-access-token') ? 'token' : 'list';
		service.asked[endpoint] += 1;
		const answer = answers[endpoint] ?? RIGHT[endpoint];
		const answered = answer({ secret: secretOf(request), count: service.asked[endpoint] }, service);
		if (typeof answered === 'function') return answered(response);
		response.writeHead(answered.status, { ...answered.headers, 'content-length': answered.body.length });
		response.end(answered.body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const engine = new Engine(sandboxCredential(`http://${host}`, secrets.apiKey));
	const service: RawService = { ...secrets, host, engine, asked: { token: 0, list: 0 } };
	try {
		await work(service);
		expect(await countLeftOpen(host)).toBe(0);
	} finally {
		server.closeAllConnections();
		server.close();
		Object.values(secrets).forEach(forgetSecret);
	}
}

export function json(body: unknown, status = 200): RawAnswer {
	return text(JSON.stringify(body), status);
}

export function text(body: string, status = 200): RawAnswer {
	return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
}

export function rightToken(token: string) {
	return { status_code: 200, message: 'ok', data: { access_token: token, expires_in: 900 } };
}

export function rightList(clients: number) {
	const results = Array.from({ length: clients }, (_, index): Record<string, unknown> => ({
		reference_id: `ID ${index}`,
		email: `client-${index}@example.com`,
		client_type: 'company',
		group_name: 'Group',
		group_token: 'group',
		request_status: 'Pending',
		created_at: '2026-01-01T00:00:00.000Z',
	}));
	return {
		status_code: 200,
		message: 'ok',
		data: { page_number: 1, page_limit: 100, total_count: clients, total_pages: 1, results },
	};
}

function secretOf({ headers }: IncomingMessage): string {
	return String(headers['api-key'] ?? headers.authorization ?? '').replace(/^Bearer /, '');
}
