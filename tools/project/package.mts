import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { explainNpm, npmCommand, npmEnvironment, runCommand } from '../process/command.mjs';
import { takeLock } from '../process/lock.mjs';

export const PACKAGE_NAME = 'n8n-nodes-client-onboarding';
const FOLDER = 'build/package';
const LOG = `${FOLDER}/pack.log`;

/** Builds and packs the package just as it would be published; returns the tarball's path. */
export async function packPackage(): Promise<string> {
	mkdirSync(FOLDER, { recursive: true });
	const release = await takeLock(`${FOLDER}.lock`);
	rmSync(LOG, { force: true });
	await runCommand([process.execPath, 'node_modules/gulp/bin/gulp.js', 'build'], {
		log: LOG,
		explain: () => `The package does not build. See ${LOG}`,
	});
	await runCommand([...npmCommand(), 'pack', '--pack-destination', FOLDER], {
		log: LOG,
		env: npmEnvironment(),
		explain: explainNpm('npm pack', LOG),
	});
	release();
	const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
	return resolve(FOLDER, `${PACKAGE_NAME}-${version}.tgz`);
}

/** Unpacks the package into the folder from which n8n loads community packages. */
export async function placePackage(tarball: string, userFolder: string): Promise<void> {
	const target = join(userFolder, '.n8n/nodes/node_modules', PACKAGE_NAME);
	const draft = join(userFolder, 'unpacked');
	rmSync(draft, { recursive: true, force: true });
	const unpacked = await unpackPackage(tarball, draft);
	mkdirSync(dirname(target), { recursive: true });
	rmSync(target, { recursive: true, force: true });
	renameSync(unpacked, target);
	rmSync(draft, { recursive: true });
}

/** Unpacks it into a folder; returns where in there the package is. */
export async function unpackPackage(tarball: string, folder: string): Promise<string> {
	mkdirSync(folder, { recursive: true });
	await runCommand(['tar', '-xzf', tarball, '-C', folder], {
		log: join(folder, 'unpack.log'),
		explain: (output) => `The packed package could not be unpacked: ${output.trim()}`,
	});
	return join(folder, 'package');
}
