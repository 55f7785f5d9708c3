// The whole module, since an older Node has no parseArgs: it must get as far as the message about its version.
import util from 'node:util';
import { Failure } from './failure.mjs';

/**
 * @typedef {{ kind: 'boolean' }} Switch
 * @typedef {{ kind: 'text', label: string, takes?: string, pattern?: RegExp, default?: string }} Text
 * @typedef {{ kind: 'number', from: number, to: number, default?: number }} WholeNumber
 * @typedef {(Switch | Text | WholeNumber) & { short?: string, help: string }} Flag
 */

/**
 * @template {Flag} F
 * @typedef {F extends Switch ? boolean
 *   : | (F extends WholeNumber ? number : string)
 *     | (F extends { default: unknown } ? never : undefined)} Value
 */

/** @type {Flag} */
const HELP = { kind: 'boolean', short: 'h', help: 'print this help' };

/**
 * The help of a command and its parser: `sandboxPort` is `--sandbox-port`. `note` ends the help. With `takesWords`, words
 * that are not flags and everything after `--` are passed on.
 * @template {Record<string, Flag>} const F
 * @param {{ command: string, purpose: string, flags: F, note?: string, takesWords?: boolean }} declaration
 */
export function declareFlags({ command, purpose, flags, note, takesWords = false }) {
	/** @type {Map<string, Flag & { option: string }>} */
	const known = new Map(
		Object.entries({ ...flags, help: HELP }).map(([option, flag]) => [toKebabCase(option), { ...flag, option }]),
	);
	const wayOut = `Run "${command} -- --help" to list all flags.`;

	/**
	 * @param {readonly string[]} words
	 * @returns {{ [Option in keyof F]: Value<F[Option]> } & { help: boolean, words: string[] }}
	 */
	function parse(words) {
		/** @type {string[]} */
		const others = [];
		/** @type {Record<string, unknown>} */
		const values = { words: others };
		for (const flag of known.values()) values[flag.option] = flag.kind === 'boolean' ? false : flag.default;
		for (const token of tokenize(known, words)) {
			if (token.kind === 'option') {
				const flag = known.get(token.name);
				if (!flag) throw wrongUse(`Unknown flag "${words[token.index]}". ${wayOut}`);
				values[flag.option] = readValue(flag, token);
			} else if (token.kind === 'positional') {
				if (!takesWords) throw wrongUse(`"${token.value}" is not a flag. ${wayOut}`);
				others.push(token.value);
			}
		}
		return /** @type {ReturnType<typeof parse>} */ (values);
	}

	const help = [`${command} -- [flags]`, purpose, alignFlags(known), ...(note ? [note] : [])].join('\n\n');
	return { help: `${help}\n`, parse };
}

/** @param {string} message */
const wrongUse = (message) => new Failure(message, 2);

/** @param {string} option */
const toKebabCase = (option) => option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * parseArgs' own messages take several lines and do not say which values a flag takes.
 * @param {Map<string, Flag>} known
 * @param {readonly string[]} words
 */
function tokenize(known, words) {
	/** @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
	const options = {};
	for (const [name, { kind, short }] of known) {
		options[name] = { type: kind === 'boolean' ? kind : 'string', ...(short && { short }) };
	}
	return util.parseArgs({ args: [...words], options, strict: false, tokens: true }).tokens;
}

/**
 * @param {Flag} flag
 * @param {{ rawName: string, value?: string, inlineValue?: boolean }} token
 */
function readValue(flag, { rawName, value, inlineValue }) {
	if (flag.kind === 'boolean') {
		if (value !== undefined) throw wrongUse(`${rawName} takes no value.`);
		return true;
	}
	if (!value || (!inlineValue && value.startsWith('--'))) {
		throw wrongUse(`${rawName} needs a value: ${describeValues(flag)}.`);
	}
	if (!accepts(flag, value)) throw wrongUse(`${rawName} must be ${describeValues(flag)}, not "${value}".`);
	return flag.kind === 'number' ? Number(value) : value;
}

/**
 * @param {Exclude<Flag, Switch>} flag
 * @param {string} value
 */
function accepts(flag, value) {
	if (flag.kind === 'text') return flag.pattern?.test(value) ?? true;
	return /^\d+$/.test(value) && Number(value) >= flag.from && Number(value) <= flag.to;
}

/** @param {Exclude<Flag, Switch>} flag */
function describeValues(flag) {
	if (flag.kind === 'text') return flag.takes ?? 'any text';
	return `a whole number from ${flag.from} to ${flag.to}`;
}

/** @param {Map<string, Flag>} known */
function alignFlags(known) {
	const rows = [...known].map(([name, flag]) => {
		const left = [flag.short ? `--${name}, -${flag.short}` : `--${name}`, label(flag)].filter(Boolean).join(' ');
		const isGiven = flag.kind !== 'boolean' && flag.default !== undefined;
		return [left, isGiven ? `${flag.help} (default: ${flag.default})` : flag.help];
	});
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`).join('\n');
}

/** @param {Flag} flag */
function label(flag) {
	if (flag.kind === 'boolean') return '';
	return flag.kind === 'text' ? `<${flag.label}>` : '<n>';
}
