import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** Served from the sources, also when the sandbox runs compiled, from build/. */
const [SANDBOX] = ['../', '../../../sandbox/']
	.map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
	.filter((folder) => existsSync(`${folder}openapi.yaml`));

const MODULES = readdirSync(`${SANDBOX}control/console`).filter((file) => file.endsWith('.mjs'));
const CONSOLE: Record<string, readonly [file: string, type: string]> = {
	...Object.fromEntries(
		MODULES.map((file) => [`/${file}`, [`control/console/${file}`, 'text/javascript; charset=utf-8']]),
	),
	'/': ['control/console/console.html', 'text/html; charset=utf-8'],
	'/console.css': ['control/console/console.css', 'text/css; charset=utf-8'],
	'/icon.svg': ['../icons/clientOnboarding.svg', 'image/svg+xml'],
};

export interface ConsoleFile {
	type: string;
	content: Buffer;
}

export function findConsoleFile(path: string): ConsoleFile | undefined {
	if (!Object.hasOwn(CONSOLE, path)) return undefined;
	const [file, type] = CONSOLE[path];
	return { type, content: readFileSync(`${SANDBOX}${file}`) };
}

export function readOpenApi(): unknown {
	return parse(readFileSync(`${SANDBOX}openapi.yaml`, 'utf8'));
}
