import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainNpm, npmCommand, npmEnvironment, runCommand } from '../process/command.mjs';
import { watchPackages } from '../project/packages.mjs';
import { obtain } from './cache.mts';
import { obtainNode, type NodeRuntime } from './nodeRuntime.mts';

/** Modules in C++. The second one has binaries for most machines and is compiled on the others. */
const NATIVE = ['sqlite3', 'isolated-vm'];
/** linkedom 0.18.15 needs a package that is absent from the registry; n8n 1.x names an xlsx that is not on it. */
const OVERRIDES = { linkedom: '0.18.12', xlsx: '0.18.5' };

/**
 * Lock files from a few days after each release. Without them, npm installs the newest of everything. That takes longer
 * and fails when the registry has only some packages of a family.
 */
const LOCKS = 'tools/n8n/locks';

const USUAL_PACKAGES = 2_400;

export interface N8nInstall {
	version: string;
	/** Path of the node binary to run it with. */
	node: string;
	/** Path of n8n's own command. */
	script: string;
}

/** n8n of this version, with a Node it runs on. */
export async function obtainN8n(version: string): Promise<N8nInstall> {
	const runtime = await obtainNode(version);
	const folder = await obtain({
		name: `n8n-${version}-${process.platform}-${process.arch}`,
		what: `Downloading n8n ${version}`,
		gigabytes: 3.5,
		make: async (draft, report) => await install(draft, version, runtime, report),
	});
	return { version, node: runtime.node, script: join(folder, 'node_modules/n8n/bin/n8n') };
}

async function install(
	folder: string,
	version: string,
	{ node, headers }: NodeRuntime,
	report: (detail: string) => void,
): Promise<void> {
	const log = `${folder}.log`;
	const manifest = {
		private: true,
		dependencies: { n8n: version },
		overrides: OVERRIDES,
		// npm 12 runs no install script that is not named here.
		allowScripts: Object.fromEntries(NATIVE.map((name) => [name, true])),
	};
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, '\t'));
	const lock = join(LOCKS, version, 'package-lock.json');
	const isLocked = existsSync(lock);
	if (isLocked) copyFileSync(lock, join(folder, 'package-lock.json'));
	const expected = isLocked ? countLocked(lock) : USUAL_PACKAGES;
	const options = {
		cwd: folder,
		env: { ...npmEnvironment(node), ...(headers && { npm_config_nodedir: headers }) },
		log,
		explain: explainNpm(`n8n ${version}`, log),
	};
	const npm = npmCommand(node);

	report('resolving packages');
	await watchPackages(
		join(folder, 'node_modules'),
		(packages) => report(describeSoFar(packages, expected, log)),
		async () =>
			await runCommand([...npm, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'], options),
	);
	report('building native modules');
	await runCommand([...npm, 'rebuild', ...NATIVE], options);
	rmSync(log);
}

/** Without those for other machines. */
function countLocked(lock: string): number {
	const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, { os?: string[] }> };
	return Object.values(packages).filter(({ os }) => !os).length;
}

const inWords = (count: number) => count.toLocaleString('en-US');

function describeSoFar(packages: number, expected: number, log: string): string {
	if (packages > 0) return `${inWords(packages)} of about ${inWords(expected)} packages`;
	const responses = readFileSync(log, 'utf8').match(/^npm http fetch/gm)?.length ?? 0;
	return `resolving packages: ${inWords(responses)} responses`;
}
