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

/** The result of n8n's own scanner for a folder with sources, or with an unpacked package. */
export async function scanPackage(folder: string, kind: 'sources' | 'package'): Promise<Verdict> {
	return await inTemporaryFolder('scan', async (workplace) => {
		const verdict = join(workplace, 'verdict.json');
		await runCommand([process.execPath, SCANNER, resolve(folder), kind, verdict], {
			// With NODE_ENV=test, n8n's rules treat every file as a node. The scanner's leftovers are deleted with our folder.
			env: { ...process.env, NODE_ENV: '', TMPDIR: workplace },
			log: join(workplace, 'scan.log'),
			explain: (output) => `n8n's scanner did not finish: ${output.trim()}`,
		});
		return JSON.parse(readFileSync(verdict, 'utf8')) as Verdict;
	});
}
