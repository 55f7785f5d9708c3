import { DEFAULTS } from '../app.mts';
import { MOST_CLIENTS } from '../data/clients.mts';
import { SETTINGS, SETTING_NAMES, parseValue, type Setting, type SettingName } from '../endpoints/behavior.mts';
import { parseFault } from '../faults/faults.mts';

export interface Flag {
	name: string;
	/** Name of the value in the help. A flag without one takes no value. */
	value?: string;
	help: string;
	/** The option and its value. */
	read(text: string): readonly [option: string, value: unknown];
}

export const DEFAULT_PORTS = { port: 4010, productionPort: 4011, controlPort: 4012 };

const PORT = [0, 65_535] as const;
const CLIENTS = [0, MOST_CLIENTS] as const;
const ANY_NUMBER = [0, Number.MAX_SAFE_INTEGER] as const;
const POSITIVE = [1, Number.MAX_SAFE_INTEGER] as const;

function takeNumber(name: string, option: string, range: readonly [number, number], help: string): Flag {
	const [lowest, highest] = range;
	return {
		name,
		value: 'n',
		help,
		read: (text) => {
			const number = Number(text);
			if (/^\d+$/.test(text) && number >= lowest && number <= highest) return [option, number];
			const wanted = highest === Number.MAX_SAFE_INTEGER ? `of at least ${lowest}` : `from ${lowest} to ${highest}`;
			throw new Error(`${name} must be a whole number ${wanted}, not "${text}".`);
		},
	};
}

function takeSeconds(name: string, option: string, help: string): Flag {
	return {
		name,
		value: 's',
		help,
		read: (text) => {
			const seconds = Number(text);
			if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && Number.isFinite(seconds)) return [option, seconds];
			throw new Error(`${name} takes a number of seconds above 0, such as 60 or 0.3, not "${text}".`);
		},
	};
}

function takeText(name: string, option: string, help: string): Flag {
	return { name, value: 'text', help, read: (text) => [option, text] };
}

function takeKey(name: string, option: string, help: string): Flag {
	return {
		name,
		value: 'text',
		help,
		read: (text) => {
			if (/^[\x21-\x7e]+$/.test(text)) return [option, text];
			throw new Error(`${name} must be letters, digits and symbols without spaces, not "${text}".`);
		},
	};
}

function takeNothing(name: string, option: string, help: string): Flag {
	return { name, help, read: () => [option, true] };
}

function toKebabCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export interface SettingFlag extends Flag {
	setting: SettingName;
	value: string;
}

export const SETTING_FLAGS: readonly SettingFlag[] = SETTING_NAMES.map((setting) => {
	const name = `--${toKebabCase(setting)}`;
	const { behaviors, help, note }: Setting = SETTINGS[setting];
	return {
		name,
		setting,
		value: behaviors.join('|'),
		help: note ? `${help}; ${note}` : help,
		read: (text) => [setting, parseValue(setting, text, name)],
	};
});

const { port, productionPort, controlPort } = DEFAULT_PORTS;
export const BASIC_FLAGS: readonly Flag[] = [
	takeNumber('--port', 'port', PORT, `port of the sandbox environment (default: ${port}; 0: any free port)`),
	takeNumber('--production-port', 'productionPort', PORT, `port of production (default: ${productionPort})`),
	takeNumber('--control-port', 'controlPort', PORT, `port of the control interface (default: ${controlPort})`),
	takeText('--host', 'host', 'address both environments listen on (default: 127.0.0.1)'),
	takeNumber('--clients', 'clients', CLIENTS, `clients in each environment (default: ${DEFAULTS.clients})`),
	takeText('--seed', 'seed', `the same seed gives the same clients (default: ${DEFAULTS.seed})`),
	takeKey('--api-key', 'apiKey', `API key of the sandbox environment (default: ${DEFAULTS.apiKey})`),
	takeKey('--production-api-key', 'productionApiKey', `API key of production (default: ${DEFAULTS.productionApiKey})`),
	takeSeconds(
		'--token-lifetime',
		'tokenLifetimeSeconds',
		`lifetime of an access token in seconds (default: ${DEFAULTS.tokenLifetimeSeconds})`,
	),
	takeNumber(
		'--token-requests',
		'tokenRequests',
		ANY_NUMBER,
		`list requests an access token is valid for (default: ${DEFAULTS.tokenRequests}, no limit)`,
	),
	takeNumber(
		'--max-page-limit',
		'maxPageLimit',
		POSITIVE,
		`maximum page_limit, for --over-limit (default: ${DEFAULTS.maxPageLimit})`,
	),
	takeNumber(
		'--requests-per-second',
		'requestsPerSecond',
		POSITIVE,
		`requests per second before a 429, with --rate-limit (default: ${DEFAULTS.requestsPerSecond})`,
	),
	takeNumber(
		'--requests-per-minute',
		'requestsPerMinute',
		ANY_NUMBER,
		`the same per minute, instead of per second (default: ${DEFAULTS.requestsPerMinute}, off)`,
	),
	takeNothing('--single-token', 'singleToken', 'a new access token revokes the earlier ones'),
	{
		name: '--fault',
		value: 'fault',
		help: 'add a fault, see below; can be repeated',
		read: (text) => ['faults', parseFault(text)],
	},
	takeNothing('--verbose', 'verbose', 'print a line for every request'),
	takeNothing('--help', 'help', 'print this help'),
];
