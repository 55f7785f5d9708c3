import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startSandbox } from '../../sandbox/server.mts';
import { call, createCaller } from './caller.mts';

const ROOT = join(__dirname, '../..');
const ANY_PORTS = ['--port', '0', '--production-port', '0', '--control-port', '0'];

jest.setTimeout(60_000);

const children = new Set<ChildProcess>();

beforeAll(() => {
	const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
	execFileSync(process.execPath, [compiler, '-p', join(ROOT, 'sandbox')]);
});

afterEach(() => {
	for (const child of children) child.kill('SIGKILL');
	children.clear();
});

function run(...flags: string[]) {
	const child = spawn(process.execPath, [join(ROOT, 'build/sandbox/main.mjs'), ...flags]);
	children.add(child);
	const output = { stdout: '', stderr: '' };
	child.stdout.on('data', (chunk) => (output.stdout += chunk));
	child.stderr.on('data', (chunk) => (output.stderr += chunk));
	const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
	const printed = (text: string) =>
		new Promise<void>((resolve) => {
			const check = () => output.stdout.includes(text) && resolve();
			child.stdout.on('data', check);
			check();
		});
	return { child, output, ended, printed };
}

function findUrl(stdout: string, name: string): string {
	const [, url] = new RegExp(`^  ${name} +(http\\S+)`, 'm').exec(stdout) ?? [];
	return url;
}

describe('The command npm run sandbox', () => {
	it('prints the help and succeeds with --help', async () => {
		const { output, ended } = run('--help');
		expect(await ended).toBe(0);
		expect(output.stdout).toMatch(/npm run sandbox -- \[flags\]/);
		expect(output.stderr).toBe('');
	});

	it.each([
		[['--clints', '5'], 2, 'Unknown flag "--clints". Did you mean --clients?\n'],
		[['--clients', 'five'], 2, '--clients must be a whole number from 0 to 1000000, not "five".\n'],
		[['--extras', 'all'], 2, '--extras must be one of none, fields, statuses, not "all".\n'],
		[
			[...ANY_PORTS, '--host', '192.0.2.1'],
			1,
			'Cannot listen on "192.0.2.1": this machine has no such address. Choose another with --host.\n',
		],
	])('prints one line and does not start with %j', async (flags, status, complaint) => {
		const { output, ended } = run(...flags);
		expect(await ended).toBe(status);
		expect(output).toEqual({ stdout: '', stderr: complaint });
	});

	it('names the port that is taken and the flag to choose another', async () => {
		const other = await startSandbox();
		const { port } = new URL(other.environments.production.url);
		const { output, ended } = run(...ANY_PORTS, '--production-port', port);
		expect(await ended).toBe(1);
		expect(output).toEqual({
			stdout: '',
			stderr: `Port ${port} is in use. Choose another with --production-port.\n`,
		});
		await other.close();
	});

	it.each(['SIGTERM', 'SIGINT'] as const)('starts, responds and stops without an error on %s', async (signal) => {
		const { child, output, ended, printed } = run(
			...ANY_PORTS,
			'--clients',
			'1234',
			'--order',
			'shuffled',
			'--verbose',
		);
		await printed('Ctrl-C to stop');
		expect(output.stdout).toMatch(/sandbox {5}http:\/\/localhost:\d+ +API key: sandbox-api-key +1,234 clients/);
		expect(output.stdout).toMatch(/production {2}http:\/\/localhost:\d+ +API key: production-api-key +1,234 clients/);
		expect(await call(findUrl(output.stdout, 'console'))).toMatchObject({ status: 200 });

		const url = findUrl(output.stdout, 'sandbox');
		const caller = createCaller({ url, apiKey: 'sandbox-api-key' });
		expect((await caller.list({ page_limit: 5, secret: 'hush' })).data.total_count).toBe(1234);
		await printed('sandbox     200  GET /api/v1/clients-list/?page_limit=5\n');
		expect(output.stdout).not.toContain('hush');

		child.kill(signal);
		expect(await ended).toBe(0);
		expect(output.stderr).toBe('');
	});

	it('stops even while a request hangs', async () => {
		const { child, output, ended, printed } = run(...ANY_PORTS, '--fault', 'hang:endpoint=any');
		await printed('Ctrl-C to stop');
		const hanging = call(findUrl(output.stdout, 'sandbox')).catch(() => 'cut off');
		await new Promise((resolve) => setTimeout(resolve, 50));
		child.kill('SIGTERM');
		expect(await ended).toBe(0);
		expect(await hanging).toBe('cut off');
	});
});
