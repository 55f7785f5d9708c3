import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { obtainN8n } from '../tools/n8n/install.mts';
import { N8N_VERSIONS } from '../tools/n8n/versions.mjs';
import { end, endOnSignals, isEnding } from '../tools/process/lifetime.mjs';
import { takeLock } from '../tools/process/lock.mjs';
import { inTemporaryFolder } from '../tools/process/temporary.mts';
import { packPackage, unpackPackage } from '../tools/project/package.mts';
import { scanPackage } from '../tools/project/scan.mts';
import { Failure, report } from '../tools/terminal/failure.mjs';
import { showProgress } from '../tools/terminal/progress.mjs';
import type { Candidate } from './candidate.mjs';
import type { Flags } from './flags.mjs';
import { integrityOf, publishTarball } from './publish.mts';
import { tryPackage } from './trial.mts';
import { writeNotes } from './version.mjs';

/** Not build/release, which contains this code after compilation. */
const FOLDER = 'build/candidate';
/** The width of a line beside the names of a plan. */
const LINE = 64;

/** All steps of npm run release. */
export async function release(candidate: Candidate, { dry: isDry, n8n }: Flags): Promise<void> {
	await toItsEnd(async () => {
		await scan('the sources', '.', 'sources');
		const tarball = await showProgress('Building and packing the package', packForRelease);
		saveNotes(candidate);
		const integrity = integrityOf(tarball);
		await judge(tarball, n8n);
		if (integrityOf(tarball) !== integrity)
			throw new Failure(`${tarball} changed during the checks. Run the command again.`);
		const upload = { isDry, token: candidate.token, log: `${FOLDER}/publish.log` };
		const what = isDry ? 'Publishing (dry run)' : 'Publishing';
		await showProgress(what, async () => await publishTarball(tarball, upload));
		if (isDry) printPlan(candidate, tarball, integrity);
		else console.log(`\nPublished ${describeFile(tarball)}\n${integrity}`);
	});
}

/** Only the steps that check a tarball. */
export async function judgeOnly(tarball: string, { n8n }: Flags): Promise<void> {
	await toItsEnd(async () => {
		await judge(tarball, n8n);
		console.log(`\nAll checks passed: ${describeFile(tarball)}\n${integrityOf(tarball)}`);
	});
}

async function toItsEnd(work: () => Promise<void>): Promise<void> {
	endOnSignals(() => 130);
	try {
		await takeLock(`${FOLDER}.lock`, (pid) => {
			throw new Failure(`Another release is running in this folder (process ${pid}). Wait until it ends.`);
		});
		rmSync(FOLDER, { recursive: true, force: true });
		mkdirSync(FOLDER, { recursive: true });
		await work();
		await end(0);
	} catch (error) {
		await end(isEnding() ? 1 : report(error));
	}
}

/** In a folder that other commands do not pack into. */
async function packForRelease(): Promise<string> {
	const packed = await packPackage();
	const tarball = join(process.cwd(), FOLDER, basename(packed));
	copyFileSync(packed, tarball);
	return tarball;
}

/** For the GitHub release. */
function saveNotes({ version }: Candidate): void {
	const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository: { url: string } };
	const address = repository.url.replace(/^git\+|\.git$/g, '');
	const notes = writeNotes(readFileSync('CHANGELOG.md', 'utf8'), `${address}/blob/${version}`);
	writeFileSync(`${FOLDER}/notes.md`, notes);
}

async function judge(tarball: string, n8n: string | undefined): Promise<void> {
	await inTemporaryFolder('unpacked', async (folder) => {
		await scan('the tarball', await unpackPackage(tarball, folder), 'package');
	});
	for (const version of n8n === undefined ? N8N_VERSIONS : [n8n]) {
		const install = await obtainN8n(version);
		const log = `${FOLDER}/n8n-${version}.log`;
		await showProgress(
			`Testing the tarball in n8n ${version}`,
			async (report) => await tryPackage(install, tarball, log, report),
		);
	}
}

async function scan(what: string, folder: string, kind: 'sources' | 'package'): Promise<void> {
	await showProgress(`Scanning ${what} with n8n's scanner`, async () => {
		const { passed, message, details } = await scanPackage(folder, kind);
		if (!passed) throw new Failure(`n8n's scanner rejected ${what}: ${message}\n${details ?? ''}`.trimEnd());
	});
}

function printPlan({ version, commit, isTagged, isCommitted }: Candidate, tarball: string, integrity: string): void {
	const steps = [...(isTagged ? [] : [`git tag ${version}`]), `git push origin ${version}`];
	console.log(`
Dry run: nothing was uploaded. ${version} is ready${isCommitted ? '' : ', but not all of it is committed'}.

  commit     ${commit}${isCommitted ? '' : ' plus uncommitted changes; commit them first'}
  tag        ${version}${isTagged ? '' : ', not created yet'}
  file       ${describeFile(tarball)}
  integrity  ${integrity.slice(0, LINE)}
             ${integrity.slice(LINE)}
  upload     npm publish, with provenance
  release    ${steps.join(' && ')}`);
}

function describeFile(tarball: string): string {
	return `${basename(tarball)}, ${statSync(tarball).size.toLocaleString('en-US')} bytes`;
}
