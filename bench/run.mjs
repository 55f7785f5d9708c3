// Plain JavaScript until the package is installed and compiled: it runs right after git clone.
import { fileURLToPath } from 'node:url';
import { end, endOnSignals, isEnding } from '../tools/process/lifetime.mjs';
import { demandPlatform, prepareProject } from '../tools/project/prepare.mjs';
import { report } from '../tools/terminal/failure.mjs';
import { declareFlags } from '../tools/terminal/flags.mjs';

const FLAGS = declareFlags({
	command: 'npm run bench',
	purpose:
		'Measures this package in n8n, compares it with the HTTP Request node and writes docs/benchmarks.md. Exits with status 1 if a target is missed.',
	flags: {
		check: {
			kind: 'boolean',
			help: 'measure without writing a file',
		},
		queue: {
			kind: 'boolean',
			help: "measure n8n's queue mode under load instead; writes the table to docs/scaling.md",
		},
	},
});

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const disarm = endOnSignals(() => 130);
try {
	const flags = FLAGS.parse(process.argv.slice(2));
	if (flags.help) {
		process.stdout.write(FLAGS.help);
		await end(0);
	}
	demandPlatform();
	await prepareProject();
	disarm();
	const { main } = await import('./main.mjs');
	await main({ isCheck: flags.check, isQueue: flags.queue });
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
