import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { SandboxOptions, Sandbox } from '../sandbox/server.mts';
import { Failure } from '../tools/terminal/failure.mjs';

const SAVE_EVERY_MS = 100;
const ENVIRONMENTS = ['sandbox', 'production'] as const;

/** Saved by one start for the next. */
type SavedClients = Required<Pick<SandboxOptions, 'clients' | 'createdUntilMs' | 'edits'>>;

/**
 * The clients of the last start, so that a published trigger does not emit an event for every difference to new ones.
 * Another number of clients starts over.
 */
export function loadClients(
	file: string,
	clients: number,
): Partial<SavedClients> & Pick<SavedClients, 'clients' | 'createdUntilMs'> {
	const saved = readSaved(file);
	return saved?.clients === clients ? saved : { clients, createdUntilMs: Date.now() };
}

function readSaved(file: string): SavedClients | undefined {
	if (!existsSync(file)) return undefined;
	try {
		const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedClients;
		if (
			typeof saved.clients === 'number' &&
			saved.createdUntilMs > 0 &&
			saved.edits.sandbox &&
			saved.edits.production
		) {
			return saved;
		}
	} catch {
		// The same message as for a file with other content.
	}
	throw new Failure(
		`The saved clients cannot be read from ${file}. To start over, run the same command with --fresh added. It deletes the demo's login, credentials, workflows and clients.`,
	);
}

/** Saves changes from now on. Returns a function that saves a last time. */
export function saveClients(
	file: string,
	{ app }: Sandbox,
	start: Pick<SavedClients, 'clients' | 'createdUntilMs'>,
): () => void {
	const revisions = () => ENVIRONMENTS.map((name) => app.environment(name).clients.revision).join();
	let saved = '';
	const save = () => {
		if (revisions() === saved) return;
		saved = revisions();
		const edits = Object.fromEntries(ENVIRONMENTS.map((name) => [name, app.environment(name).clients.edits()]));
		writeFileSync(`${file}.new`, JSON.stringify({ ...start, edits }));
		// A rename is atomic, so the file is complete even after a crash.
		renameSync(`${file}.new`, file);
	};
	save();
	setInterval(save, SAVE_EVERY_MS).unref();
	return save;
}
