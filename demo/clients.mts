import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { SandboxOptions, Sandbox } from '../sandbox/server.mts';
import { Failure } from '../tools/terminal/failure.mjs';

const SAVE_EVERY_MS = 100;
const ENVIRONMENTS = ['sandbox', 'production'] as const;

/** What brings back the clients of an earlier start. */
type Kept = Required<Pick<SandboxOptions, 'clients' | 'createdUntilMs' | 'edits'>>;

/**
 * The clients as the last start has left them: a trigger that is published would tell everything in which new ones differ.
 * Another number of clients begins anew.
 */
export function recallClients(file: string, clients: number): Partial<Kept> & Pick<Kept, 'clients' | 'createdUntilMs'> {
	const kept = readKept(file);
	return kept?.clients === clients ? kept : { clients, createdUntilMs: Date.now() };
}

function readKept(file: string): Kept | undefined {
	if (!existsSync(file)) return undefined;
	try {
		const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
		if (typeof kept.clients === 'number' && kept.createdUntilMs > 0 && kept.edits.sandbox && kept.edits.production) {
			return kept;
		}
	} catch {
		// The same words as for what is something else.
	}
	throw new Failure(`The clients of the last start cannot be read from ${file}. "npm start -- --fresh" begins anew.`);
}

/** Keeps them from now on; returns how to keep them a last time. */
export function keepClients(
	file: string,
	{ app }: Sandbox,
	start: Pick<Kept, 'clients' | 'createdUntilMs'>,
): () => void {
	const revisions = () => ENVIRONMENTS.map((name) => app.environment(name).clients.revision).join();
	let saved = '';
	const save = () => {
		if (revisions() === saved) return;
		saved = revisions();
		const edits = Object.fromEntries(ENVIRONMENTS.map((name) => [name, app.environment(name).clients.edits()]));
		writeFileSync(`${file}.new`, JSON.stringify({ ...start, edits }));
		// So that it is there whole, whenever somebody pulls the plug.
		renameSync(`${file}.new`, file);
	};
	save();
	setInterval(save, SAVE_EVERY_MS).unref();
	return save;
}
