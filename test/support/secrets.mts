import { readFileSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

const secrets = new Set<string>();
/** What was a secret once; files are searched for it word by word, since there may be thousands. */
const past = new Set<string>();

const SHORTEST_HALF = 12;

/** From now on this text must not turn up anywhere a user, a log or a database could keep it. */
export function rememberSecret(secret: string | undefined): void {
	if (secret) secrets.add(secret);
}

/** What comes from now on cannot know this text; what was written to disk may. */
export function forgetSecret(secret: string): void {
	secrets.delete(secret);
	past.add(secret);
}

/** Fails where a secret can be seen in the value, however deep or hidden. */
export function expectNoSecret(value: unknown, where: string): void {
	const text =
		typeof value === 'string'
			? value
			: inspect(value, { depth: 30, showHidden: true, maxArrayLength: null, maxStringLength: null });
	for (const secret of secrets) {
		const at = halvesOf(secret)
			.map((half) => text.indexOf(half))
			.find((place) => place >= 0);
		if (at !== undefined) {
			throw new Error(`A secret is visible in ${where}: …${text.slice(Math.max(0, at - 120), at)}<here>`);
		}
	}
}

/** Half a secret is as much too much as all of it, unless it could be any other word. */
function halvesOf(secret: string): string[] {
	const middle = Math.floor(secret.length / 2);
	return middle < SHORTEST_HALF ? [secret] : [secret.slice(0, middle), secret.slice(middle)];
}

/** Everything n8n has in its folder, and of its log what is new since this was asked last. */
export function expectNoSecretOnDisk(): void {
	const folder = process.env.N8N_USER_FOLDER as string;
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const file = join(entry.parentPath ?? entry.path, entry.name);
		const text = readFileSync(file, 'utf8');
		// n8n goes on writing to its log, for the next test file.
		if (entry.name === 'n8n.log') truncateSync(file);
		expectNoSecret(text, entry.name);
		if (text.match(/[\w-]+/g)?.some((word) => past.has(word))) throw new Error(`A secret is visible in ${entry.name}`);
	}
}
