import { readFileSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { findAny } from './findAny.mts';

const secrets = new Set<string>();
/** Secrets of earlier tests. There may be thousands, so files are split into words that are looked up here. */
const past = new Set<string>();

const SHORTEST_HALF = 12;
/** Of a test file with hundreds of services, the last used. */
const MOST_SECRETS = 100;

const IN_FULL = {
	depth: 30,
	showHidden: true,
	maxArrayLength: null,
	maxStringLength: null,
	// With `true`, Node.js measures the width of every part again and again.
	compact: false,
	breakLength: Infinity,
};

/** From now on, this text must not be in any output, log or database. */
export function trackSecret(secret: string | undefined): void {
	if (!secret) return;
	secrets.delete(secret);
	secrets.add(secret);
	const [oldest] = secrets;
	if (secrets.size > MOST_SECRETS) forgetSecret(oldest);
}

/** Later values are not searched for this text any more; files still are. */
export function forgetSecret(secret: string): void {
	secrets.delete(secret);
	past.add(secret);
}

/** Fails if a secret is in the value at any depth, also in properties that are not enumerable. */
export function expectNoSecret(value: unknown, where: string): void {
	const text = typeof value === 'string' ? value : inspect(value, IN_FULL);
	if (secrets.size === 0) return;
	const at = findAny(text, [...secrets].flatMap(halvesOf));
	if (at >= 0) throw new Error(`A secret is visible in ${where}: …${text.slice(Math.max(0, at - 120), at)}<here>`);
}

/** A half of a secret counts, too, unless it is so short that it could be another word. */
function halvesOf(secret: string): string[] {
	const middle = Math.floor(secret.length / 2);
	return middle < SHORTEST_HALF ? [secret] : [secret.slice(0, middle), secret.slice(middle)];
}

/** All files of n8n's folder, and the new part of its log since the last call. */
export function expectNoSecretOnDisk(): void {
	const folder = process.env.N8N_USER_FOLDER as string;
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const file = join(entry.parentPath ?? entry.path, entry.name);
		const text = readFileSync(file, 'utf8');
		// n8n keeps writing to the log for the next test file.
		if (entry.name === 'n8n.log') truncateSync(file);
		expectNoSecret(text, entry.name);
		if (text.match(/[\w-]+/g)?.some((word) => past.has(word))) throw new Error(`A secret is visible in ${entry.name}`);
	}
}
