import { N8N_VERSION } from '../tools/n8n/versions.mjs';
import { declareFlags } from '../tools/terminal/flags.mjs';

export const USUAL_SANDBOX_PORT = 4010;
const USUAL_WORKERS = 2;

export const FLAGS = declareFlags({
	command: 'npm start',
	purpose: "Starts n8n with this package and a sandbox service, and lists the sandbox's clients once.",
	flags: {
		port: { kind: 'number', from: 1, to: 65_535, default: 5678, help: "port of n8n's editor" },
		sandboxPort: {
			kind: 'number',
			from: 1,
			to: 65_533,
			default: USUAL_SANDBOX_PORT,
			help: 'first of three ports of the sandbox service; with another one, the demo begins anew',
		},
		clients: { kind: 'number', from: 0, to: 1_000_000, default: 250, help: 'clients in the sandbox' },
		n8nVersion: {
			kind: 'text',
			label: 'x.y.z',
			takes: `a version such as ${N8N_VERSION}`,
			pattern: /^\d+\.\d+\.\d+$/,
			default: N8N_VERSION,
			help: 'n8n to fetch and start',
		},
		queue: { kind: 'boolean', help: "n8n's queue mode: PostgreSQL, Redis, one main and several workers" },
		workers: { kind: 'number', from: 1, to: 20, help: 'how many workers, in queue mode (2)' },
		once: { kind: 'boolean', help: 'exit after the listing; status 0 if it worked' },
		fresh: { kind: 'boolean', help: "forget the demo's own data first: login, credentials, workflows" },
	},
});

/** @typedef {ReturnType<typeof FLAGS.parse>} Flags */

/**
 * How many workers n8n has; none where one process does everything.
 * @param {Flags} flags
 */
export function workersOf({ queue, workers }) {
	return workers ?? (queue ? USUAL_WORKERS : 0);
}
