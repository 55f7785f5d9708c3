import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 10_000;

const open = new Map<string, Set<Socket>>();

subscribe('net.client.socket', (message) => {
	const { socket } = message as { socket: Socket };
	socket.once('connect', () => {
		const port = String(socket.remotePort);
		const sockets = open.get(port) ?? new Set();
		open.set(port, sockets.add(socket));
		socket.once('close', () => sockets.delete(socket));
	});
});

/** How many connections to this address are still open although no request is pending. */
export async function countLeftOpen(url: string): Promise<number> {
	const { port } = new URL(url);
	for (const endMs = Date.now() + GRACE_MS; (open.get(port)?.size ?? 0) > 0 && Date.now() < endMs; ) await sleep(20);
	const left = open.get(port)?.size ?? 0;
	open.delete(port);
	return left;
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
