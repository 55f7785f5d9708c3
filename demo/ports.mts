import { createServer, type AddressInfo } from 'node:net';

export const LOOPBACK = '127.0.0.1';

async function listen(port: number): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer().once('error', reject);
		server.listen(port, LOOPBACK, () => {
			const taken = (server.address() as AddressInfo).port;
			server.close(() => resolve(taken));
		});
	});
}

export async function isFree(port: number): Promise<boolean> {
	return await listen(port).then(
		() => true,
		() => false,
	);
}

export async function findFreePort(): Promise<number> {
	return await listen(0);
}
