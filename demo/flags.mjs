import { N8N_VERSION } from '../tools/n8n/versions.mjs';
import { Failure } from '../tools/terminal/failure.mjs';

const DEFAULTS = {
	help: false,
	port: 5678,
	sandboxPort: 4010,
	clients: 250,
	n8nVersion: N8N_VERSION,
	once: false,
	fresh: false,
};

/** @typedef {typeof DEFAULTS} Flags */

/** @param {string} text */
const takeVersion = (text) => (/^\d+\.\d+\.\d+$/.test(text) ? text : undefined);

/**
 * @param {number} lowest
 * @param {number} highest
 */
const takeNumber = (lowest, highest) => (/** @type {string} */ text) =>
	/^\d+$/.test(text) && Number(text) >= lowest && Number(text) <= highest ? Number(text) : undefined;

/** @type {Record<string, { option: keyof Flags, takes: string, read: (text: string) => unknown }>} */
const VALUES = {
	'--port': { option: 'port', takes: 'a whole number, 1 to 65535', read: takeNumber(1, 65_535) },
	// The sandbox takes three ports in a row.
	'--sandbox-port': { option: 'sandboxPort', takes: 'a whole number, 1 to 65533', read: takeNumber(1, 65_533) },
	'--clients': { option: 'clients', takes: 'a whole number, 0 to 1000000', read: takeNumber(0, 1_000_000) },
	'--n8n-version': { option: 'n8nVersion', takes: `a version such as ${N8N_VERSION}`, read: takeVersion },
};

/** @type {Record<string, keyof Flags>} */
const SWITCHES = { '--help': 'help', '-h': 'help', '--once': 'once', '--fresh': 'fresh' };

export const HELP = `npm start -- [flags]

Starts n8n with this package and a sandbox service, and lists the sandbox's clients once.

  --port <n>             port of n8n's editor (${DEFAULTS.port})
  --sandbox-port <n>     port of the sandbox service; it also takes the next two (${DEFAULTS.sandboxPort})
  --clients <n>          clients in the sandbox (${DEFAULTS.clients})
  --n8n-version <x.y.z>  n8n to fetch and start (${DEFAULTS.n8nVersion})
  --once                 exit after the listing; status 0 if it worked
  --fresh                forget the demo's own data first: login, credentials, workflows
  --help                 print this
`;

/**
 * What the words after `npm start --` ask for.
 * @param {readonly string[]} words
 * @returns {Flags}
 */
export function parseFlags(words) {
	/** @type {Record<string, unknown>} */
	const flags = { ...DEFAULTS };
	const rest = [...words];
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		const [name, attached] = word.split(/=(.*)/s);
		if (Object.hasOwn(SWITCHES, word)) {
			flags[SWITCHES[word]] = true;
		} else if (Object.hasOwn(VALUES, name)) {
			const { option, takes, read } = VALUES[name];
			const text = attached ?? rest.shift() ?? '';
			const value = read(text);
			if (value === undefined) throw new Failure(`${name} takes ${takes}, not "${text}".`, 2);
			flags[option] = value;
		} else {
			throw new Failure(`There is no flag "${word}". "npm start -- --help" lists them.`, 2);
		}
	}
	return /** @type {Flags} */ (flags);
}
