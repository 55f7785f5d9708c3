import { describe, expect, it } from '@jest/globals';
import { DEFAULTS } from '../../sandbox/app.mts';
import { SETTINGS, SETTING_NAMES, valuesOf } from '../../sandbox/endpoints/behavior.mts';
import { FAULT_KINDS } from '../../sandbox/faults/faults.mts';
import { FLAGS, readOptions } from '../../sandbox/flags.mts';

const parse = (line: string) => readOptions(FLAGS.parse(line.split(' ').filter(Boolean)));

describe('The flags of npm run sandbox', () => {
	it('are all optional', () => {
		expect(parse('')).toEqual({
			...{ ...DEFAULTS, seed: String(DEFAULTS.seed) },
			...{ port: 4010, productionPort: 4011, controlPort: 4012, host: '127.0.0.1' },
			...{ behavior: {}, faults: [] },
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
		expect(parse(line)).toMatchObject(options);
	});

	it('include several faults, in order', () => {
		expect(parse('--fault hang:times=1 --fault=status:code=500')).toMatchObject({
			faults: [
				{ kind: 'hang', times: 1 },
				{ kind: 'status', code: 500 },
			],
		});
	});

	it('include --verbose, which is not an option of the sandbox', () => {
		expect(FLAGS.parse(['--verbose']).verbose).toBe(true);
		expect(parse('--verbose')).toEqual(parse(''));
	});

	it.each(SETTING_NAMES.flatMap((setting) => valuesOf(setting).map((value: string) => [setting, value] as const)))(
		'set %s to %s',
		(setting, value) => {
			const flag = `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
			expect(parse(`${flag} ${value.toUpperCase()}`)).toMatchObject({ behavior: { [setting]: value } });
		},
	);

	it.each([
		['--tokenMethod post', 'Unknown flag "--tokenMethod". Did you mean --token-method?'],
		['--xyzzyplugh', 'Unknown flag "--xyzzyplugh". Run "npm run sandbox -- --help" to list all flags.'],
		['4010', '"4010" is not a flag. Run "npm run sandbox -- --help" to list all flags.'],
		['--port 65536', '--port must be a whole number from 0 to 65535, not "65536".'],
		['--clients 1000001', '--clients must be a whole number from 0 to 1000000, not "1000001".'],
		['--token-lifetime 0', '--token-lifetime must be a number of seconds above 0, such as 60 or 0.3, not "0".'],
		['--token-lifetime 0.0', '--token-lifetime must be a number of seconds above 0, such as 60 or 0.3, not "0.0".'],
		['--token-lifetime .', '--token-lifetime must be a number of seconds above 0, such as 60 or 0.3, not ".".'],
		['--token-requests 1.5', '--token-requests must be a whole number of at least 0, not "1.5".'],
		['--max-page-limit 0', '--max-page-limit must be a whole number of at least 1, not "0".'],
		['--status-case upper', '--status-case must be one of capitalized, lower, mixed, not "upper".'],
		['--api-key schlüssel', '--api-key must be letters, digits and symbols without spaces, not "schlüssel".'],
		['--fault stauts', expect.stringMatching(/^There is no fault "stauts"\. Choose from: latency, .*$/)],
		['--fault status:code=1', 'The fault parameter code must be a whole number from 400 to 599, not "1".'],
	])('are refused with one line: %s', (line, complaint) => {
		expect(() => parse(line)).toThrow(expect.objectContaining({ message: complaint }));
	});

	it('are listed by --help with every value and every fault, on lines of at most 100 characters', () => {
		const unwrapped = FLAGS.help.replace(/\|\n +/g, '|');
		for (const setting of SETTING_NAMES) {
			const { behaviors, violations } = SETTINGS[setting];
			expect(unwrapped).toContain(` ${behaviors.join('|')}\n`);
			if (violations.length === 0) continue;
			expect(unwrapped).toContain(`contradicting the specification: ${violations.join('|')}\n`);
		}
		for (const kind of Object.keys(FAULT_KINDS)) expect(FLAGS.help).toContain(`  ${kind}`);
		for (const flag of ['--port', '--seed', '--single-token', '--fault', '--order']) expect(FLAGS.help).toContain(flag);
		expect(Math.max(...FLAGS.help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
	});
});
