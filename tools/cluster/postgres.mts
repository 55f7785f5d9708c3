import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, LOOPBACK } from '../network/ports.mts';
import { runCommand, startCommand, type Command } from '../process/command.mjs';
import { Failure } from '../terminal/failure.mjs';
import { ordinaryAccount } from './account.mts';
import type { Programs } from './programs.mts';

const USER = 'n8n';
const READY_WITHIN_MS = 60_000;

export interface Database extends Command {
	/** Environment variables for n8n. */
	settings: Record<string, string>;
}

export interface Place {
	folder: string;
	log: string;
}

/** A PostgreSQL of our own: its data is in this folder, it listens on this machine alone, and it ends with this process. */
export async function startPostgres({ initdb, postgres }: Programs, { folder, log }: Place): Promise<Database> {
	const { prefix, own } = ordinaryAccount();
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	own(folder);
	const [data, secret] = ['data', 'password'].map((name) => join(folder, name));
	if (!existsSync(join(data, 'PG_VERSION'))) {
		rmSync(data, { recursive: true, force: true });
		writeFileSync(secret, randomBytes(18).toString('base64url'), { mode: 0o600 });
		own(secret);
		const choices = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
		await runCommand([...prefix, initdb.path, '-D', data, '-U', USER, `--pwfile=${secret}`, ...choices], {
			env: initdb.env,
			log,
			explain: () => `PostgreSQL could not create its database. See ${log}`,
		});
	}
	const port = await findFreePort();
	const choices = [`listen_addresses=${LOOPBACK}`, `port=${port}`, 'unix_socket_directories=', 'max_connections=200'];
	const command = startCommand([...prefix, postgres.path, '-D', data, ...choices.flatMap((choice) => ['-c', choice])], {
		env: postgres.env,
		log,
	});
	await untilListening(port, command, `PostgreSQL did not start. See ${log}`);
	return {
		...command,
		settings: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: LOOPBACK,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: readFileSync(secret, 'utf8').trim(),
		},
	};
}

/** Waits until something takes connections at this port of this machine. */
export async function untilListening(port: number, { finished }: Command, words: string): Promise<void> {
	let hasEnded = false;
	void finished.then(() => (hasEnded = true));
	for (const deadline = Date.now() + READY_WITHIN_MS; !(await isListening(port)); await sleep(100)) {
		if (hasEnded || Date.now() > deadline) throw new Failure(words);
	}
}

async function isListening(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, LOOPBACK, () => {
			socket.destroy();
			resolve(true);
		}).once('error', () => resolve(false));
	});
}
