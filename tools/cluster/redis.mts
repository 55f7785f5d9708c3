import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, LOOPBACK } from '../network/ports.mts';
import { startCommand, type Command } from '../process/command.mjs';
import { untilListening, type Place } from './postgres.mts';
import type { Programs } from './programs.mts';

export interface Queue extends Command {
	/** Environment variables for n8n. */
	settings: Record<string, string>;
	/** Ends it and starts it again at the same port, with nothing in it. */
	restart(): Promise<void>;
}

/** A Redis of our own, in memory only: what waits in it is in n8n's database, too. */
export async function startRedis({ redis: { path, env } }: Programs, { folder, log }: Place): Promise<Queue> {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const config = join(folder, 'redis.conf');
	const port = await findFreePort();
	const password = randomBytes(18).toString('base64url');
	const lines = [
		`bind ${LOOPBACK}`,
		`port ${port}`,
		`requirepass ${password}`,
		`dir ${folder}`,
		'save ""',
		'appendonly no',
	];
	writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
	const start = async () => {
		const command = startCommand([path, config], { env, log });
		await untilListening(port, command, `Redis did not start. See ${log}`);
		return command;
	};
	let command = await start();
	return {
		...command,
		stop: async () => await command.stop(),
		async restart() {
			await command.stop();
			command = await start();
		},
		settings: {
			QUEUE_BULL_REDIS_HOST: LOOPBACK,
			QUEUE_BULL_REDIS_PORT: String(port),
			QUEUE_BULL_REDIS_PASSWORD: password,
		},
	};
}
