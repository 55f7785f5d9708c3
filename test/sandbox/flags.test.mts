import { describe, expect, it } from '@jest/globals';
import { parseFlags } from '../../sandbox/commandLine/flags.mts';
import { SETTINGS, SETTING_NAMES, valuesOf } from '../../sandbox/endpoints/behavior.mts';
import { FAULT_KINDS } from '../../sandbox/faults/faults.mts';

describe('The flags of npm run sandbox', () => {
	it('are all optional', () => {
		expect(parseFlags([])).toEqual({
			kind: 'start',
			options: { port: 4010, productionPort: 4011, controlPort: 4012, behavior: {}, faults: [] },
			verbose: false,
		});
	});

	it.each([
		['--port 5000', { port: 5000 }],
		['--port=5000', { port: 5000 }],
		['--production-port 0', { productionPort: 0 }],
		['--control-port 65535', { controlPort: 65_535 }],
		['--host 0.0.0.0', { host: '0.0.0.0' }],
		['--clients 1000000', { clients: 1_000_000 }],
		['--clients 0', { clients: 0 }],
		['--seed -5', { seed: '-5' }],
		['--api-key k=1', { apiKey: 'k=1' }],
		['--api-key=k=1', { apiKey: 'k=1' }],
		['--production-api-key k2', { productionApiKey: 'k2' }],
		['--token-lifetime 5', { tokenLifetimeSeconds: 5 }],
		['--token-lifetime 0.3', { tokenLifetimeSeconds: 0.3 }],
		['--token-requests 3', { tokenRequests: 3 }],
		['--token-requests 0', { tokenRequests: 0 }],
		['--max-page-limit 50', { maxPageLimit: 50 }],
		['--requests-per-second 5', { requestsPerSecond: 5 }],
		['--requests-per-minute 60', { requestsPerMinute: 60 }],
		['--requests-per-minute 0', { requestsPerMinute: 0 }],
		['--single-token', { singleToken: true }],
		['--token-method post', { behavior: { tokenMethod: 'POST' } }],
		['--order Shuffled --totals absent', { behavior: { order: 'shuffled', totals: 'absent' } }],
		['--beyond-last 404', { behavior: { beyondLast: '404' } }],
		['--port 1 --port 2', { port: 2 }],
	])('include %s', (line, options) => {
		expect(parseFlags(line.split(' '))).toMatchObject({ kind: 'start', options });
	});

	it('include several faults, in order', () => {
		expect(parseFlags(['--fault', 'hang:times=1', '--fault=status:code=500'])).toMatchObject({
			options: {
				faults: [
					{ kind: 'hang', times: 1 },
					{ kind: 'status', code: 500 },
				],
			},
		});
	});

	it('include --verbose, which is not an option of the sandbox', () => {
		const command = parseFlags(['--verbose']);
		expect(command).toMatchObject({ kind: 'start', verbose: true });
		expect(command).not.toHaveProperty('options.verbose');
	});

	it.each(SETTING_NAMES.flatMap((setting) => valuesOf(setting).map((value: string) => [setting, value] as const)))(
		'set %s to %s',
		(setting, value) => {
			const flag = `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
			expect(parseFlags([flag, value.toUpperCase()])).toMatchObject({
				options: { behavior: { [setting]: value } },
			});
		},
	);

	it.each([
		['--prot 1', 'Unknown flag --prot. Did you mean --port?'],
		['--tokenMethod post', 'Unknown flag --tokenMethod. Did you mean --token-method?'],
		['--xyzzyplugh', 'Unknown flag --xyzzyplugh. Run "npm run sandbox -- --help" to list all flags.'],
		['-h', 'Unknown flag -h. Run "npm run sandbox -- --help" to list all flags.'],
		['4010', '"4010" is not a flag. Run "npm run sandbox -- --help" to list all flags.'],
		['--port', '--port needs a value.'],
		['--port=', '--port needs a value.'],
		['--port --verbose', '--port needs a value.'],
		['--verbose=yes', '--verbose takes no value.'],
		['--port 40x', '--port must be a whole number from 0 to 65535, not "40x".'],
		['--port 65536', '--port must be a whole number from 0 to 65535, not "65536".'],
		['--port -1', '--port must be a whole number from 0 to 65535, not "-1".'],
		['--clients 1000001', '--clients must be a whole number from 0 to 1000000, not "1000001".'],
		['--clients 1.5', '--clients must be a whole number from 0 to 1000000, not "1.5".'],
		['--token-lifetime 0', '--token-lifetime takes a number of seconds above 0, such as 60 or 0.3, not "0".'],
		['--token-lifetime 0.0', '--token-lifetime takes a number of seconds above 0, such as 60 or 0.3, not "0.0".'],
		['--token-lifetime .', '--token-lifetime takes a number of seconds above 0, such as 60 or 0.3, not ".".'],
		['--token-requests 1.5', '--token-requests must be a whole number of at least 0, not "1.5".'],
		['--max-page-limit 0', '--max-page-limit must be a whole number of at least 1, not "0".'],
		['--status-case upper', '--status-case cannot be "upper". Choose from: capitalized, lower, mixed.'],
		['--api-key schlüssel', '--api-key must be letters, digits and symbols without spaces, not "schlüssel".'],
		['--fault stauts', /^There is no fault "stauts"\. Choose from: latency, /],
		['--fault status:code=1', 'The fault parameter code must be a whole number from 400 to 599, not "1".'],
	])('are refused with one line: %s', (line, complaint) => {
		const command = parseFlags(line.split(' '));
		expect(command).toMatchObject({ kind: 'complaint', line: expect.not.stringContaining('\n') });
		if (command.kind === 'complaint') expect(command.line).toMatch(complaint);
	});

	it('are listed by --help with every value and every fault, on lines of at most 100 characters', () => {
		const command = parseFlags(['--port', '1', '--help']);
		if (command.kind !== 'help') throw new Error('no help');
		const unwrapped = command.text.replace(/\|\n +/g, '|');
		for (const setting of SETTING_NAMES) {
			const { behaviors, violations } = SETTINGS[setting];
			expect(unwrapped).toContain(` ${behaviors.join('|')}\n`);
			if (violations.length === 0) continue;
			expect(unwrapped).toContain(`contradicting the specification: ${violations.join('|')}\n`);
		}
		for (const kind of Object.keys(FAULT_KINDS)) expect(command.text).toContain(`  ${kind}`);
		for (const flag of ['--port', '--seed', '--single-token', '--fault', '--order'])
			expect(command.text).toContain(flag);
		expect(Math.max(...command.text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
	});
});
