import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, LOOPBACK } from '../network/ports.mts';
import { startCommand } from '../process/command.mjs';
import { Failure } from '../terminal/failure.mjs';
import type { N8nInstall } from './install.mts';

const READY_WITHIN_MS = 180_000;
const ASK_EVERY_MS = 250;

/** Nothing else of the user's environment reaches n8n: settings meant for another n8n would lead it to that one's data. */
const INHERITED = ['HOME', 'LANG', 'LC_ALL', 'NODE_EXTRA_CA_CERTS', 'PATH', 'TMPDIR', 'TZ'];

const SETTINGS = {
	N8N_LISTEN_ADDRESS: LOOPBACK,
	N8N_HOST: 'localhost',
	N8N_SECURE_COOKIE: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	// A package that n8n has not reviewed is loaded in every version only when asked for.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// As n8n 2.x does by itself; without it, n8n 1.x fails now and then where several requests come at once.
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
	/** Resolves when it has ended, asked to or not. */
	ended: Promise<unknown>;
	stop(): Promise<void>;
}

/** Starts n8n and waits until it takes requests. */
export async function startN8n(
	install: N8nInstall,
	{ userFolder, log, port, settings }: N8nOptions,
): Promise<N8nProcess> {
	const editorPort = port ?? (await findFreePort());
	const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
	const { pid, finished, stop } = startCommand([install.node, install.script, 'start'], {
		log,
		env: {
			...Object.fromEntries(inherited),
			...SETTINGS,
			GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
			N8N_USER_FOLDER: userFolder,
			N8N_PORT: String(editorPort),
			N8N_RUNNERS_BROKER_PORT: String(await findFreePort()),
			...settings,
		},
	});
	const url = `http://${LOOPBACK}:${editorPort}`;
	let hasEnded = false;
	void finished.then(() => (hasEnded = true));

	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await isReady(url))) {
		if (hasEnded) throw new Failure(`n8n ended while it started: ${lastLine(log)} See ${log}`);
		if (Date.now() > deadline) {
			await stop();
			throw new Failure(`n8n was not ready after ${READY_WITHIN_MS / 60_000} minutes. See ${log}`);
		}
		await sleep(ASK_EVERY_MS);
	}
	return { url, pid, ended: finished, stop };
}

/** The health endpoint answers before the interface does. */
async function isReady(url: string): Promise<boolean> {
	try {
		const answers = await Promise.all(['/healthz/readiness', '/rest/settings'].map((path) => fetch(`${url}${path}`)));
		const bodies = await Promise.all(answers.map((answer) => answer.text()));
		return answers.every(({ ok }) => ok) && bodies[1].startsWith('{');
	} catch {
		return false;
	}
}

function lastLine(log: string): string {
	return readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
}
