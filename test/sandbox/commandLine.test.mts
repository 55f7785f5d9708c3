import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { DEFAULTS } from '../../sandbox/app.mts';
import { SETTINGS, SETTING_NAMES, valuesOf } from '../../sandbox/endpoints/behavior.mts';
import { FAULT_KINDS } from '../../sandbox/faults/faults.mts';
import { FLAGS, readOptions } from '../../sandbox/flags.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { createSelfSigned } from '../../tools/network/certificate.mts';
import { toKebabCase } from '../../tools/terminal/flags.mjs';
import { createCaller, pathOf, send } from './ask.mts';

const ROOT = resolve(__dirname, '../..');
const ANY_PORTS = ['--port', '0', '--production-port', '0', '--control-port', '0'];

const flagOf = (setting: string) => `--${toKebabCase(setting)}`;
const NAMES = FLAGS.help.match(/(?<=^  )--[a-z-]+/gm) ?? [];
const parse = (line: string) => readOptions(FLAGS.parse(line.split(' ').filter(Boolean)));

describe('The flags of the sandbox', () => {
	it('are all optional', () => {
		expect(parse('')).toEqual({
			...{ ...DEFAULTS, seed: String(DEFAULTS.seed) },
			...{ port: 4010, productionPort: 4011, controlPort: 4012, host: '127.0.0.1' },
			...{ behavior: {}, faults: [] },
		});
	});

	const LINES: Array<[line: string, options: object]> = [
		['--port 5000', { port: 5000 }],
		['--port=1 --port=2', { port: 2 }],
		['--production-port 0', { productionPort: 0 }],
		['--control-port 65535', { controlPort: 65_535 }],
		['--host 0.0.0.0', { host: '0.0.0.0' }],
		['--clients 1000000', { clients: 1_000_000 }],
		['--seed -5', { seed: '-5' }],
		['--api-key k=1', { apiKey: 'k=1' }],
		['--production-api-key=k=2', { productionApiKey: 'k=2' }],
		['--token-lifetime 0.3', { tokenLifetimeSeconds: 0.3 }],
		['--token-requests 3', { tokenRequests: 3 }],
		['--max-page-limit 50', { maxPageLimit: 50 }],
		['--requests-per-second 5', { requestsPerSecond: 5 }],
		['--requests-per-minute 0', { requestsPerMinute: 0 }],
		['--single-token', { singleToken: true }],
		['--order Shuffled --beyond-last 404', { behavior: { order: 'shuffled', beyondLast: '404' } }],
		[
			'--fault hang:times=1 --fault=status',
			{
				faults: [
					{ kind: 'hang', times: 1 },
					{ kind: 'status', code: 503 },
				],
			},
		],
	];

	it.each(LINES)('are parsed: %s', (line, options) => {
		expect(parse(line)).toMatchObject(options);
	});

	it('are each tested here', () => {
		const tested = LINES.map(([line]) => line.split(/[ =]/)[0]);
		const others = ['--verbose', '--help', ...SETTING_NAMES.map(flagOf)];
		expect(NAMES.filter((name) => ![...tested, ...others].includes(name))).toEqual([]);
	});

	it('set every value of every setting, in any case', () => {
		for (const setting of SETTING_NAMES) {
			for (const value of valuesOf(setting)) {
				expect(parse(`${flagOf(setting)} ${value.toUpperCase()}`)).toMatchObject({ behavior: { [setting]: value } });
			}
		}
	});

	it.each([
		['--prot 1', 'Unknown flag "--prot". Did you mean --port?'],
		['--tokenMethod post', 'Unknown flag "--tokenMethod". Did you mean --token-method?'],
		['--xyzzyplugh', 'Unknown flag "--xyzzyplugh". Run "npm run sandbox -- --help" to list all flags.'],
		['4010', '"4010" is not a flag. Run "npm run sandbox -- --help" to list all flags.'],
		['--port', '--port needs a value: a whole number from 0 to 65535.'],
		['--port=', '--port needs a value: a whole number from 0 to 65535.'],
		['--port --verbose', '--port needs a value: a whole number from 0 to 65535.'],
		['--verbose=yes', '--verbose takes no value.'],
		['--port 40x', '--port must be a whole number from 0 to 65535, not "40x".'],
		['--port 65536', '--port must be a whole number from 0 to 65535, not "65536".'],
		['--clients 1.5', '--clients must be a whole number from 0 to 1000000, not "1.5".'],
		['--token-lifetime 0', '--token-lifetime must be a number of seconds above 0, such as 60 or 0.3, not "0".'],
		['--max-page-limit 0', '--max-page-limit must be a whole number of at least 1, not "0".'],
		['--status-case upper', '--status-case must be one of capitalized, lower, mixed, not "upper".'],
		['--api-key schlüssel', '--api-key must be letters, digits and symbols without spaces, not "schlüssel".'],
		['--fault hang:ms=1', 'The fault hang has no parameter "ms". It has: endpoint, skip, times, every, page.'],
	])('are refused with one line: %s', (line, complaint) => {
		expect(() => parse(line)).toThrow(expect.objectContaining({ message: complaint }));
	});
});

describe('The command npm run sandbox', () => {
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
		child.stderr.on('data', (chunk) => (output.stderr += chunk));
		const started = new Promise<void>((done) => {
			child.stdout.on('data', (chunk) => {
				output.stdout += chunk;
				if (output.stdout.includes('Ctrl-C')) done();
			});
		});
		const ended = new Promise<number | null>((done) => child.on('close', done));
		const urlOf = (name: string) => new RegExp(`^  ${name} +(http\\S+)`, 'm').exec(output.stdout)![1];
		return { child, output, ended, started, urlOf };
	}

	it('prints the help with every value and every fault, on lines of at most 100 characters', async () => {
		const { output, ended } = run('--port', '1', '--help');
		expect([await ended, output.stderr]).toEqual([0, '']);
		const text = output.stdout.replace(/\|\n +/g, '|');
		for (const setting of SETTING_NAMES) {
			const { behaviors, violations } = SETTINGS[setting];
			expect(text).toContain(` ${behaviors.join('|')}\n`);
			if (violations.length > 0) expect(text).toContain(`contradicting the specification: ${violations.join('|')}\n`);
		}
		for (const kind of Object.keys(FAULT_KINDS)) expect(text).toContain(`  ${kind}`);
		expect(output.stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
	});

	it.each([
		[['--clints', '5'], 2, 'Unknown flag "--clints". Did you mean --clients?\n'],
		[
			[...ANY_PORTS, '--host', '192.0.2.1'],
			1,
			'Cannot listen on "192.0.2.1": this machine has no such address. Choose another with --host.\n',
		],
	])('prints one line and does not start with %j', async (flags, status, stderr) => {
		const { output, ended } = run(...flags);
		expect([await ended, output]).toEqual([status, { stdout: '', stderr }]);
	});

	it('names the port that is in use and the flag to choose another', async () => {
		const other = await startSandbox();
		const { port } = new URL(other.environments.production.url);
		const { output, ended } = run(...ANY_PORTS, '--production-port', port);
		const stderr = `Port ${port} is in use. Choose another with --production-port.\n`;
		expect([await ended, output]).toEqual([1, { stdout: '', stderr }]);
		await other.close();
	});

	it.each(['SIGTERM', 'SIGINT'] as const)(
		'serves clients and the console until %s, also while a request hangs',
		async (signal) => {
			const flags = ['--clients', '1234', '--fault', 'hang:skip=1', '--verbose'];
			const { child, output, ended, started, urlOf } = run(...ANY_PORTS, ...flags);
			await started;
			expect(output.stdout).toMatch(/sandbox {5}http:\/\/localhost:\d+ +API key: sandbox-api-key +1,234 clients/);
			expect(output.stdout).toMatch(/production {2}http:\/\/localhost:\d+ +API key: production-api-key +1,234 clients/);
			const page = await send(urlOf('console'), { headers: { accept: 'text/html' } });
			expect(page.text).toContain('<title>Client Onboarding Sandbox</title>');

			const token = await send(urlOf('sandbox') + pathOf('token'), { headers: { 'api-key': 'sandbox-api-key' } });
			const headers = { authorization: `Bearer ${token.json.data.access_token}` };
			const list = `${urlOf('sandbox')}${pathOf('list')}?page_limit=5&secret=hush`;
			expect((await send(list, { headers })).json.data.total_count).toBe(1234);
			const hanging = send(list, { headers });
			const lines = () => output.stdout.split('\n').filter((line) => line.startsWith('sandbox '));
			while (lines().length < 2) await new Promise((done) => setTimeout(done, 10));
			expect(lines()[1]).toBe('sandbox     200  GET /api/v1/clients-list/?page_limit=5');
			child.kill(signal);
			expect([await ended, output.stderr]).toEqual([0, '']);
			expect(await hanging).toMatchObject({ error: expect.any(String), text: '' });
		},
	);
});

describe('The sandbox', () => {
	it('uses https for production only, with a certificate, and loses those connections too', async () => {
		const tls = await createSelfSigned();
		const { environments, close } = await startSandbox({ tls, faults: ['reset-before'] });
		expect(environments.sandbox.url).toMatch(/^http:/);
		const dispatcher = new Agent({ connect: { ca: tls.cert } });
		const { url, apiKey } = environments.production;
		const { statusCode, body } = await request(url + pathOf('token'), { dispatcher, headers: { 'api-key': apiKey } });
		await body.dump();
		expect(statusCode).toBe(200);
		await expect(request(url + pathOf('list'), { dispatcher })).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
		await Promise.all([dispatcher.close(), close()]);
	});

	// Only Linux has further loopback addresses.
	(process.platform === 'linux' ? it : it.skip)('moves to another host except for its control interface', async () => {
		const sandbox = await startSandbox({ host: '127.0.0.2' });
		expect(sandbox.environments.sandbox.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
		expect(await createCaller(sandbox)('GET list')).toMatchObject({ status: 200 });
		expect(await send(sandbox.controlUrl)).toMatchObject({ status: 200 });
		const elsewhere = sandbox.controlUrl.replace('127.0.0.1', '127.0.0.2');
		expect(await send(elsewhere)).toMatchObject({ error: 'ECONNREFUSED' });
		await sandbox.close();
	});
});
