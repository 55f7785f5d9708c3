import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

export async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
	});
}

/** A free port that no connection is given in the time n8n takes until it listens: systems take those from above. */
export async function findFreePort(): Promise<number> {
	for (;;) {
		const port = randomInt(10_000, 32_000);
		if (await isFree(port)) return port;
	}
}
