import { N8N_VERSION } from '../tools/n8n/versions.mjs';
import { declareFlags } from '../tools/terminal/flags.mjs';

export const USUAL_SANDBOX_PORT = 4010;
const USUAL_WORKERS = 2;

export const FLAGS = declareFlags({
	command: 'npm start',
	purpose: "Starts n8n with this package and the sandbox, and lists the sandbox's clients once.",
	note: 'Downloads and demo data are in ~/.cache/n8n-nodes-client-onboarding. Delete that folder to remove them.',
	flags: {
		port: { kind: 'number', from: 1, to: 65_535, default: 5678, help: "port of n8n's editor" },
		sandboxPort: {
			kind: 'number',
			from: 1,
			to: 65_533,
			default: USUAL_SANDBOX_PORT,
			help: 'first of three ports of the sandbox; each value has its own demo data',
		},
		clients: { kind: 'number', from: 0, to: 1_000_000, default: 250, help: 'clients in the sandbox' },
		n8nVersion: {
			kind: 'text',
			label: 'x.y.z',
			takes: `a version such as ${N8N_VERSION}`,
			pattern: /^\d+\.\d+\.\d+$/,
			default: N8N_VERSION,
			help: 'n8n version to download and start',
		},
		queue: { kind: 'boolean', help: "use n8n's queue mode: PostgreSQL, Redis, a main process and workers" },
		workers: { kind: 'number', from: 1, to: 20, help: 'number of workers, 2 with --queue alone; turns on queue mode' },
		once: { kind: 'boolean', help: 'exit after listing the clients; status 0 on success' },
		fresh: { kind: 'boolean', help: "delete the demo's data first: login, credentials, workflows, clients" },
	},
});

/** @typedef {ReturnType<typeof FLAGS.parse>} Flags */

/**
 * 0 without queue mode.
 * @param {Flags} flags
 */
export function workersOf({ queue, workers }) {
	return workers ?? (queue ? USUAL_WORKERS : 0);
}
