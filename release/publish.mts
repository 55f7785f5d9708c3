import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { npmCommand, npmEnvironment, runCommand } from '../tools/process/command.mjs';

export interface Upload {
	/** Whether npm does everything except the upload. */
	isDry: boolean;
	token?: string;
	log: string;
}

/** In the format of the registry and of lock files. */
export function integrityOf(tarball: string): string {
	return `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
}

export async function publishTarball(tarball: string, { isDry, token, log }: Upload): Promise<void> {
	await runCommand([...npmCommand(), 'publish', tarball, ...(isDry ? ['--dry-run'] : [])], {
		log,
		env: { ...npmEnvironment(), ...authorize(token) },
		explain: (output) => `npm publish did not succeed. ${firstComplaint(output)} See ${log}`,
	});
}

/** npm reads the token from a variable named after the registry, so no file has to contain it. */
export function authorize(token: string | undefined): Record<string, string> {
	if (token === undefined) return {};
	const [program, ...words] = npmCommand();
	const registry = execFileSync(program, [...words, 'config', 'get', 'registry'], {
		encoding: 'utf8',
		env: npmEnvironment(),
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const { host, pathname } = new URL('.', registry.trim());
	return { [`npm_config_//${host}${pathname}:_authToken`]: token };
}

function firstComplaint(output: string): string {
	return /^npm error (?!code )(.*)$/m.exec(output)?.[1] ?? '';
}
