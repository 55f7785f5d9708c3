// Plain JavaScript until the package is installed and compiled: it runs right after git clone.
import { fileURLToPath } from 'node:url';
import { report } from '../demo/failure.mjs';
import { end, endOnSignals, isEnding } from '../demo/lifetime.mjs';
import { demandPlatform, prepareProject } from '../demo/prepare.mjs';
import { showProgress } from '../demo/progress.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
endOnSignals(() => 130);
try {
	demandPlatform();
	await prepareProject();
	const { packPackage } = await import('../build/demo/demo/machinery.mjs');
	await showProgress('Building the package', packPackage);
	const { measureTriggerState } = await import('./trigger-state.mjs');
	console.log(`\n${measureTriggerState().join('\n')}`);
	await end(0);
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
