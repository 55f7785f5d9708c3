import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { ServiceAnswer } from './damage.mts';

/** Does not keep the process of a closed sandbox alive. */
const wait = (ms: number) => setTimeout(ms, undefined, { ref: false });

function reset(socket: Socket) {
	// A TLS socket cannot send a TCP reset; closing it without a response is the closest.
	if (socket instanceof TLSSocket) socket.destroy();
	else socket.resetAndDestroy();
}

async function dribble(response: ServerResponse, body: Buffer, intervalMs: number) {
	for (let sent = 0; sent < body.length && !response.destroyed; sent++) {
		if (sent > 0) await wait(intervalMs);
		response.write(body.subarray(sent, sent + 1));
	}
	response.end();
}

/** Sends a response, or breaks it off as the fault says. */
export async function deliver(response: ServerResponse, answer: ServiceAnswer): Promise<void> {
	const { latencyMs = 0, manner, dribbleMs = 0 } = answer.fault ?? {};
	if (latencyMs > 0) await wait(latencyMs);
	// A pipelined response has no socket of its own until its turn comes.
	const { socket } = response.req;
	if (response.destroyed || manner === 'hang') return;
	if (manner === 'reset-before') {
		reset(socket);
		return;
	}

	const isText = typeof answer.body === 'string';
	const body = Buffer.from(isText ? (answer.body as string) : JSON.stringify(answer.body));
	const contentType: Record<string, string> = isText ? {} : { 'content-type': 'application/json' };
	// A 204 has no body, and so no length of one either.
	const length: Record<string, number> = answer.status === 204 ? {} : { 'content-length': body.length };
	response.writeHead(answer.status, { ...contentType, ...length, ...answer.headers });

	if (manner === 'dribble') {
		await dribble(response, body, dribbleMs);
	} else if (manner === 'reset-during') {
		response.write(body.subarray(0, body.length / 2), () => socket.destroy());
	} else {
		response.end(body);
	}
}
