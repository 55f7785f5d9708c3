// Plain JavaScript until the package is installed and compiled: it runs right after git clone.
import { fileURLToPath } from 'node:url';
import { end, endOnSignals, isEnding } from '../tools/process/lifetime.mjs';
import { demandPlatform, prepareProject } from '../tools/project/prepare.mjs';
import { Failure, report } from '../tools/terminal/failure.mjs';

const HELP = `npm run bench -- [flags]

Measures this package in a real n8n, beside what users would do without it, and writes docs/benchmarks.md.

  --check   only what the targets need; writes nothing, ends with status 1 where a target is missed
  --help    print this
`;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const disarm = endOnSignals(() => 130);
try {
	const words = process.argv.slice(2);
	const unknown = words.find((word) => !['--check', '--help'].includes(word));
	if (unknown !== undefined)
		throw new Failure(`There is no flag "${unknown}". "npm run bench -- --help" lists them.`, 2);
	if (words.includes('--help')) {
		process.stdout.write(HELP);
		await end(0);
	}
	demandPlatform();
	await prepareProject();
	disarm();
	const { main } = await import('./main.mjs');
	await main({ isCheck: words.includes('--check') });
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
