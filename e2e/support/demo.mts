import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from '../../tools/n8n/cache.mts';
import { findFreePort, isFree } from '../../tools/network/ports.mts';
import { FOLDERS, VERSION } from './shared.mts';

const READY_WITHIN_MS = 300_000;
const NOT_COPIED = ['node_modules', 'build', 'dist', '.git'];

/** npm start in a new folder, without data of earlier starts. Only n8n and the npm packages are there, and what Node.js has compiled of them. */
export class Demo {
	#process: ChildProcess | undefined;
	#printed = '';

	private constructor(
		readonly folder: string,
		private readonly cache: string,
		private readonly flags: string[],
	) {}

	static async prepare(...more: string[]): Promise<Demo> {
		const [folder, cache] = [join(FOLDERS, 'newcomer'), join(FOLDERS, 'newcomer-cache')];
		for (const name of readdirSync('.').filter((file) => !NOT_COPIED.includes(file))) {
			// npm start runs npm install if the lock file is newer than node_modules.
			cpSync(name, join(folder, name), { recursive: true, preserveTimestamps: true });
		}
		symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
		const own = join(cache, 'n8n-nodes-client-onboarding');
		mkdirSync(own, { recursive: true });
		const fetched = readdirSync(cacheFolder()).filter((name) =>
			/^((n8n|node|debian)-[^.]*[\d.]*[^.]*|compiled)$/.test(name),
		);
		for (const name of fetched) symlinkSync(join(cacheFolder(), name), join(own, name));
		const ports = ['--port', String(await findFreePort()), '--sandbox-port', String(await findFreeRow())];
		// Screenshots show the default ports.
		const flags = process.env.E2E_SCREENSHOTS ? [] : ports;
		return new Demo(folder, cache, [...flags, '--n8n-version', VERSION, ...more]);
	}

	/** The output until it waits for Ctrl-C. */
	async start(): Promise<string> {
		const child = spawn('npm', ['start', '--', ...this.flags], {
			cwd: this.folder,
			env: { ...process.env, XDG_CACHE_HOME: this.cache },
			stdio: ['ignore', 'pipe', 'pipe'],
			detached: true,
		});
		this.#process = child;
		this.#printed = '';
		for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (this.#printed += data));
		const deadline = Date.now() + READY_WITHIN_MS;
		while (!this.#printed.includes('Ctrl-C to stop')) {
			if (child.exitCode !== null || Date.now() > deadline) throw new Error(`npm start gave up: ${this.#printed}`);
			await sleep(250);
		}
		return this.#printed;
	}

	/** Sends Ctrl-C to the whole process group, as a terminal does. Returns the last line of the output. */
	async stop(): Promise<string | undefined> {
		const child = this.#process;
		this.#process = undefined;
		if (!child?.pid || child.exitCode !== null) return undefined;
		const ended = once(child, 'close');
		process.kill(-child.pid, 'SIGINT');
		await ended;
		return this.#printed.trim().split('\n').at(-1);
	}
}

/** The first of three ports in a row. */
async function findFreeRow(): Promise<number> {
	for (;;) {
		const first = await findFreePort();
		if ((await isFree(first + 1)) && (await isFree(first + 2))) return first;
	}
}
