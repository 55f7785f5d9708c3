import { writeFileSync } from 'node:fs';
import { end, endOnSignals, isEnding } from '../build/tools/process/lifetime.mjs';
import { packPackage } from '../build/tools/project/package.mjs';
import { report as reportFailure } from '../build/tools/terminal/failure.mjs';
import { showProgress } from '../build/tools/terminal/progress.mjs';
import { measureInN8n } from './inN8n.mjs';
import { measureInProcess } from './inProcess.mjs';
import { measureLoad } from './load.mjs';
import { describeTargets, writeReport } from './report.mjs';
import { describeLoad, updateScaling } from './scaling.mjs';
import { checkTargets } from './targets.mjs';

const REPORT = 'docs/benchmarks.md';
const SCALING = 'docs/scaling.md';

/** All steps of npm run bench. */
export async function main({ isCheck, isQueue }) {
	endOnSignals(() => 130);
	try {
		const tarball = await showProgress('Building and packing the package', packPackage);
		await end(isQueue ? await measureScaling(tarball) : await measureTargets(tarball, isCheck));
	} catch (error) {
		await end(isEnding() ? 1 : reportFailure(error));
	}
}

async function measureScaling(tarball) {
	const figures = await measureLoad(tarball);
	console.log(`\n${describeLoad(figures)}\n`);
	updateScaling(SCALING, figures);
	console.log(`Written: ${SCALING}`);
	return 0;
}

async function measureTargets(tarball, isCheck) {
	const inN8n = await measureInN8n(tarball);
	const figures = { ...inN8n, ...(await measureInProcess(inN8n.install.node)) };
	const targets = checkTargets(figures);
	console.log(`\n${describeTargets(targets)}\n`);
	if (!isCheck) {
		// Imported late: it loads the built package, which a fresh clone does not have earlier.
		const { measureChoices, measureTriggerState } = await import('./triggerState.mjs');
		const state = await showProgress('Measuring the trigger state', async () => measureTriggerState());
		const choices = await showProgress('Measuring the state for each event', async () => measureChoices());
		writeFileSync(REPORT, writeReport({ ...figures, targets, state, choices }));
		console.log(`Written: ${REPORT}`);
	}
	return targets.every(({ isMet }) => isMet) ? 0 : 1;
}
