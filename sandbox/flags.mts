import { alignRows, declareFlags, toKebabCase } from '../tools/terminal/flags.mjs';
import { DEFAULTS } from './app.mts';
import { MOST_CLIENTS } from './data/clients.mts';
import { SETTINGS, SETTING_NAMES, valuesOf, type Behavior, type Setting } from './endpoints/behavior.mts';
import { FAULT_KINDS, parseFault } from './faults/faults.mts';
import type { SandboxOptions } from './server.mts';

export const DEFAULT_PORTS = { port: 4010, productionPort: 4011, controlPort: 4012 };

const PORT = { kind: 'number', from: 0, to: 65_535 } as const;
const FROM_0 = { kind: 'number', from: 0 } as const;
const FROM_1 = { kind: 'number', from: 1 } as const;
const KEY = {
	kind: 'text',
	label: 'text',
	takes: 'letters, digits and symbols without spaces',
	pattern: /^[\x21-\x7e]+$/,
} as const;

const SETTING_FLAGS = Object.fromEntries(
	SETTING_NAMES.map((setting) => [setting, { kind: 'choice' as const, values: valuesOf(setting) }]),
);

/** Long lists of values wrap. */
function wrapValues(values: readonly string[]): string {
	return values.join('|').replace(/(?=.{80})(.{1,79}\|)/g, '$1\n        ');
}

function describeSetting([name, { behaviors, violations, help, note }]: [string, Setting]): string {
	const contradicting = violations.length > 0 ? [`contradicting the specification: ${violations.join('|')}`] : [];
	const lines = [...contradicting, note ? `${help}; ${note}` : help];
	return [`  --${toKebabCase(name)} ${wrapValues(behaviors)}`, ...lines].join('\n      ');
}

function describeFault([kind, { parameters, help }]: [string, { parameters: object; help: string }]) {
	const pairs = Object.entries(parameters).map((pair) => pair.join('='));
	return [[kind, pairs.join(',')].filter(Boolean).join(':'), help];
}

export const FLAGS = declareFlags({
	command: 'npm run sandbox',
	purpose: 'A client onboarding service for tests. All clients are made up and kept in memory only.',
	flags: {
		port: { ...PORT, default: DEFAULT_PORTS.port, help: 'port of the sandbox environment; 0: any free port' },
		productionPort: { ...PORT, default: DEFAULT_PORTS.productionPort, help: 'port of production' },
		controlPort: { ...PORT, default: DEFAULT_PORTS.controlPort, help: 'port of the control interface' },
		host: { kind: 'text', label: 'text', default: '127.0.0.1', help: 'address both environments listen on' },
		clients: { ...FROM_0, to: MOST_CLIENTS, default: Number(DEFAULTS.clients), help: 'clients in each environment' },
		seed: { kind: 'text', label: 'text', default: String(DEFAULTS.seed), help: 'the same seed gives the same clients' },
		apiKey: { ...KEY, default: DEFAULTS.apiKey, help: 'API key of the sandbox environment' },
		productionApiKey: { ...KEY, default: DEFAULTS.productionApiKey, help: 'API key of production' },
		tokenLifetime: {
			kind: 'text',
			label: 's',
			takes: 'a number of seconds above 0, such as 60 or 0.3',
			pattern: /^(?=.*[1-9])\d{1,9}(\.\d+)?$/,
			default: String(DEFAULTS.tokenLifetimeSeconds),
			help: 'lifetime of an access token in seconds',
		},
		tokenRequests: {
			...FROM_0,
			default: DEFAULTS.tokenRequests,
			help: 'list requests an access token is valid for; 0: no limit',
		},
		maxPageLimit: { ...FROM_1, default: DEFAULTS.maxPageLimit, help: 'maximum page_limit, for --over-limit' },
		requestsPerSecond: {
			...FROM_1,
			default: DEFAULTS.requestsPerSecond,
			help: 'requests per second before a 429, with --rate-limit',
		},
		requestsPerMinute: {
			...FROM_0,
			default: DEFAULTS.requestsPerMinute,
			help: 'the same per minute, instead of per second; 0: off',
		},
		singleToken: { kind: 'boolean', help: 'a new access token revokes the earlier ones' },
		fault: { kind: 'texts', label: 'fault', help: 'add a fault, see below; can be repeated' },
		verbose: { kind: 'boolean', help: 'print a line for every request' },
		...SETTING_FLAGS,
	},
	note: `Settings: how the service behaves where its specification leaves details open.
The first value is the default. Values that contradict the specification are listed separately:

${Object.entries(SETTINGS).map(describeSetting).join('\n')}

Faults, with their parameters and defaults:

${alignRows(Object.entries(FAULT_KINDS).map(describeFault))}

  Each also takes endpoint=list|token|any (list), skip=<requests before the first fault> (0),
  times=<requests to affect> (all), every=<nth request> (1) and page=<page number> (all).
  Example: --fault status:code=503,times=2,skip=3`,
});

export function readOptions(flags: ReturnType<typeof FLAGS.parse>): SandboxOptions {
	const { help, words, verbose, fault, tokenLifetime, ...others } = flags;
	const isSetting = ([name]: [string, unknown]) => Object.hasOwn(SETTINGS, name);
	const given = Object.entries(others).filter(([, value]) => value !== undefined);
	return {
		...Object.fromEntries(given.filter((entry) => !isSetting(entry))),
		tokenLifetimeSeconds: Number(tokenLifetime),
		behavior: Object.fromEntries(given.filter(isSetting)) as Partial<Behavior>,
		faults: fault.map(parseFault),
	};
}
