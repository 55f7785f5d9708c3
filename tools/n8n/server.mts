import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, LOOPBACK } from '../network/ports.mts';
import { startCommand } from '../process/command.mjs';
import { Failure } from '../terminal/failure.mjs';
import { cacheFolder } from './cache.mts';
import type { N8nInstall } from './install.mts';

const READY_WITHIN_MS = 180_000;
const ASK_EVERY_MS = 250;

/** n8n gets no other environment variables: settings for another n8n would give it that one's data. */
const INHERITED = ['HOME', 'LANG', 'LC_ALL', 'NODE_EXTRA_CA_CERTS', 'PATH', 'TMPDIR', 'TZ'];

const SETTINGS = {
	N8N_LISTEN_ADDRESS: LOOPBACK,
	N8N_HOST: 'localhost',
	N8N_SECURE_COOKIE: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	// A package that n8n has not reviewed is loaded in every version only when asked for.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// The default of n8n 2.x. Without it, parallel requests sometimes fail in n8n 1.x.
	DB_SQLITE_POOL_SIZE: '3',
	// No telemetry, no news, no templates.
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	EXTERNAL_FRONTEND_HOOKS_URLS: '',
};

export interface N8nOptions {
	userFolder: string;
	/** Everything n8n prints is added to this file. */
	log: string;
	/** Any free one where not given. */
	port?: number;
	settings?: Record<string, string>;
}

export interface N8nProcess {
	url: string;
	/** Also the id of its process group. */
	pid: number;
	/** Resolves when the process has ended. */
	ended: Promise<unknown>;
	stop(): Promise<void>;
}

/** Starts n8n and waits until it takes requests. */
export async function startN8n(
	install: N8nInstall,
	{ userFolder, log, port, settings }: N8nOptions,
): Promise<N8nProcess> {
	const editorPort = port ?? (await findFreePort());
	const url = `http://${LOOPBACK}:${editorPort}`;
	// The health endpoint responds before the interface does.
	return await launch(install, ['start'], {
		name: 'n8n',
		userFolder,
		log,
		url,
		settings: { N8N_PORT: String(editorPort), ...settings },
		ready: ['/healthz/readiness', '/rest/settings'],
	});
}

/** Starts a worker of n8n's queue mode and waits until it takes jobs. */
export async function startWorker(install: N8nInstall, { userFolder, log, settings }: N8nOptions): Promise<N8nProcess> {
	const port = await findFreePort();
	return await launch(install, ['worker'], {
		name: 'An n8n worker',
		userFolder,
		log,
		url: `http://${LOOPBACK}:${port}`,
		settings: {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: LOOPBACK,
			...settings,
		},
		ready: ['/healthz/readiness'],
	});
}

interface Launch {
	/** For the user. */
	name: string;
	userFolder: string;
	log: string;
	url: string;
	settings: Record<string, string>;
	/** Paths that respond once it is ready. */
	ready: string[];
}

async function launch(
	install: N8nInstall,
	words: string[],
	{ name, userFolder, log, url, settings, ready }: Launch,
): Promise<N8nProcess> {
	const inherited = INHERITED.flatMap((key) => (process.env[key] === undefined ? [] : [[key, process.env[key]]]));
	const { pid, finished, stop } = startCommand([install.node, install.script, ...words], {
		log,
		env: {
			...Object.fromEntries(inherited),
			...SETTINGS,
			// n8n's own list of time zones has no plain UTC.
			GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone.replace(/^UTC$/, 'Etc/UTC'),
			N8N_USER_FOLDER: userFolder,
			// Node saves compiled code there, so that the next start is faster.
			NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled'),
			N8N_RUNNERS_BROKER_PORT: String(await findFreePort()),
			...settings,
		},
	});
	let hasEnded = false;
	void finished.then(() => (hasEnded = true));

	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await isReady(url, ready))) {
		if (hasEnded) throw new Failure(`${name} stopped during startup: ${lastLine(log)} See ${log}`);
		if (Date.now() > deadline) {
			await stop();
			throw new Failure(`${name} was not ready after ${READY_WITHIN_MS / 60_000} minutes. See ${log}`);
		}
		await sleep(ASK_EVERY_MS);
	}
	return { url, pid, ended: finished, stop };
}

async function isReady(url: string, paths: string[]): Promise<boolean> {
	try {
		const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
		const bodies = await Promise.all(answers.map((answer) => answer.text()));
		return answers.every(({ ok }) => ok) && bodies.every((body) => body.startsWith('{'));
	} catch {
		return false;
	}
}

function lastLine(log: string): string {
	return readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
}
