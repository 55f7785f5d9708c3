import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { obtain } from '../n8n/cache.mts';
import { runCommand } from '../process/command.mjs';
import { Failure } from '../terminal/failure.mjs';

/** A program of this machine, and what it needs to run from where it is. */
export interface Program {
	path: string;
	env: NodeJS.ProcessEnv;
}

export interface Programs {
	initdb: Program;
	postgres: Program;
	redis: Program;
}

interface Wanted {
	/** Of the program. */
	name: string;
	/** The Debian package that has it. */
	debian: string;
}

/** What n8n's queue mode needs beside n8n. */
export async function obtainPrograms(): Promise<Programs> {
	return {
		initdb: await obtainProgram({ name: 'initdb', debian: 'postgresql' }),
		postgres: await obtainProgram({ name: 'postgres', debian: 'postgresql' }),
		redis: await obtainProgram({ name: 'redis-server', debian: 'redis-server' }),
	};
}

/**
 * The installed program. Otherwise its Debian packages are unpacked into our own cache, which needs no root rights and does
 * not change the system.
 */
async function obtainProgram({ name, debian }: Wanted): Promise<Program> {
	const installed = findInstalled(name);
	if (installed) return { path: installed, env: process.env };
	const folder = await obtain({
		name: `debian-${debian}-${process.arch}`,
		what: `Downloading ${debian}`,
		gigabytes: 0.5,
		make: async (draft, report) => await unpackDebian(draft, debian, report),
	});
	const path = findIn(folder, name);
	if (!path) throw missing(name, debian);
	return { path, env: { ...process.env, LD_LIBRARY_PATH: libraryFolders(folder).join(':') } };
}

function findInstalled(name: string): string | undefined {
	const onPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, name));
	return [...onPath, ...postgresFolders('/').map((folder) => join(folder, name))].find(existsSync);
}

/** Debian keeps the servers of PostgreSQL away from the path. */
function postgresFolders(root: string): string[] {
	const folder = join(root, 'usr/lib/postgresql');
	return existsSync(folder) ? readdirSync(folder).map((version) => join(folder, version, 'bin')) : [];
}

function findIn(root: string, name: string): string | undefined {
	const folders = [join(root, 'usr/bin'), join(root, 'usr/sbin'), ...postgresFolders(root)];
	return folders.map((folder) => join(folder, name)).find(existsSync);
}

function libraryFolders(root: string): string[] {
	const libraries = join(root, 'usr/lib');
	const machines = readdirSync(libraries).filter((entry) => entry.endsWith('-linux-gnu'));
	return [libraries, ...machines.map((machine) => join(libraries, machine))];
}

async function unpackDebian(folder: string, debian: string, report: (detail: string) => void): Promise<void> {
	const log = `${folder}.log`;
	const explain = () => missing(debian, debian, log).message;
	const [lists, downloads] = ['lists', 'downloads'].map((name) => join(folder, name));
	mkdirSync(join(lists, 'partial'), { recursive: true });
	mkdirSync(downloads);
	// Debian's lists of our own: the system's may be absent, and only root may bring them up to date.
	const apt = ['apt-get', '-o', `Dir::State::Lists=${lists}`, '-o', 'APT::Sandbox::User=root'];
	const run = async (command: string[], output = log) =>
		await runCommand(command, { cwd: downloads, log: output, explain });

	report('resolving packages');
	await run([...apt, 'update']);
	const plan = join(folder, 'plan');
	await run([...apt, 'install', '--simulate', '--no-install-recommends', debian], plan);
	const packages = [...readFileSync(plan, 'utf8').matchAll(/^Inst (\S+)/gm)].map(([, name]) => name);
	report(`${packages.length} packages`);
	await run([...apt, 'download', ...packages]);
	for (const file of readdirSync(downloads)) {
		report(`unpacking ${file.split('_')[0]}`);
		await run(['dpkg-deb', '-x', file, folder]);
	}
	for (const path of [lists, downloads, plan, log]) rmSync(path, { recursive: true });
}

function missing(name: string, debian: string, log?: string): Failure {
	const facts = `"${name}" is not installed and could not be downloaded${log ? ` (see ${log})` : ''}.`;
	return new Failure(
		`${facts} Install it, on Debian and Ubuntu with "sudo apt-get install ${debian}", and start again.`,
	);
}
