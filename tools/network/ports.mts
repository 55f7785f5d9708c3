import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

export async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
	});
}

/**
 * Below the ports that systems give to connections. Each process has some of its own, since another one that looks for a port
 * at the same time would find the same one free until a server listens there.
 */
const [FIRST, PER_PROCESS, PROCESSES] = [10_000, 50, 440];
let taken = 0;

export async function findFreePort(): Promise<number> {
	const first = FIRST + (process.pid % PROCESSES) * PER_PROCESS;
	for (;;) {
		const port = first + (taken++ % PER_PROCESS);
		if (await isFree(port)) return port;
	}
}
