import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 10_000;

const open = new Map<string, Set<Socket>>();

subscribe('net.client.socket', (message) => {
	const { socket } = message as { socket: Socket };
	socket.once('connect', () => {
		const host = `${socket.remoteAddress}:${socket.remotePort}`;
		const sockets = open.get(host) ?? new Set();
		open.set(host, sockets.add(socket));
		socket.once('close', () => sockets.delete(socket));
	});
});

/** How many connections to this host and port are still open although no request is pending. */
export async function countLeftOpen(host: string): Promise<number> {
	const left = () => open.get(host)?.size ?? 0;
	for (const endMs = Date.now() + GRACE_MS; left() > 0 && Date.now() < endMs;) await sleep(20);
	const count = left();
	open.delete(host);
	return count;
}

const trapped: string[] = [];
let trapUrl: Promise<string> | undefined;

/** A server on another host, where redirects lead to. */
export async function openTrap(): Promise<string> {
	trapUrl ??= new Promise((resolve) => {
		const server = createServer((request, response) => {
			trapped.push(String(request.url));
			response.end();
		});
		server.listen(0, '127.0.0.2', () => resolve(`http://127.0.0.2:${(server.address() as AddressInfo).port}`));
		server.unref();
	});
	return await trapUrl;
}

/** Whether a redirect to this path of the trap was followed. */
export function wasTrapped(place: string): boolean {
	return trapped.some((url) => url.includes(place));
}
