import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCommand } from '../process/command.mjs';
import { inTemporaryFolder } from '../process/temporary.mts';

const SCANNER = 'tools/project/scanner.mjs';

export interface Verdict {
	passed: boolean;
	message?: string;
	/** What was found, line by line. */
	details?: string;
}

/** What n8n's own scanner says of a folder with sources, or with an unpacked package. */
export async function scanPackage(folder: string, kind: 'sources' | 'package'): Promise<Verdict> {
	return await inTemporaryFolder('scan', async (workplace) => {
		const verdict = join(workplace, 'verdict.json');
		await runCommand([process.execPath, SCANNER, resolve(folder), kind, verdict], {
			// In a test, n8n's rules take every file for a node. What the scanner leaves behind goes with our folder.
			env: { ...process.env, NODE_ENV: '', TMPDIR: workplace },
			log: join(workplace, 'scan.log'),
			explain: (output) => `n8n's scanner did not come to its end: ${output.trim()}`,
		});
		return JSON.parse(readFileSync(verdict, 'utf8')) as Verdict;
	});
}
