import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './lifetime.mjs';

/** The folder is deleted afterwards, also after an error or a signal. */
export async function inTemporaryFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	const clear = () => rmSync(folder, { recursive: true, force: true });
	const forget = atEnd(clear);
	try {
		return await work(folder);
	} finally {
		forget();
		clear();
	}
}
