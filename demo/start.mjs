// Plain JavaScript without dependencies until the package is installed and compiled: it runs right after git clone.
import { fileURLToPath } from 'node:url';
import { end, endOnSignals, isEnding } from '../tools/process/lifetime.mjs';
import { demandPlatform, prepareProject } from '../tools/project/prepare.mjs';
import { report } from '../tools/terminal/failure.mjs';
import { FLAGS } from './flags.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const disarm = endOnSignals(() => 130);
try {
	demandPlatform();
	const flags = FLAGS.parse(process.argv.slice(2));
	if (flags.help) {
		process.stdout.write(FLAGS.help);
	} else {
		await prepareProject();
		disarm();
		const { main } = await import('../build/demo/main.mjs');
		await main(flags);
	}
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
