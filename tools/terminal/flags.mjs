// The whole module, since an older Node has no parseArgs: it must get as far as the message about its version.
import util from 'node:util';
import { Failure } from './failure.mjs';
import { findNearest } from './spelling.mjs';

/**
 * @typedef {{ kind: 'boolean' }} Switch
 * @typedef {{ kind: 'text', label: string, takes?: string, pattern?: RegExp, default?: string }} Text
 * @typedef {{ kind: 'texts', label: string }} Texts each use adds one
 * @typedef {{ kind: 'choice', values: readonly string[] }} Choice in any case
 * @typedef {{ kind: 'number', from: number, to?: number, default?: number }} WholeNumber
 * @typedef {(Switch | Text | Texts | Choice | WholeNumber) & { short?: string, help?: string }} Flag the help lists those
 *   that have a `help`
 */

/**
 * @template {Flag} F
 * @typedef {F extends Switch ? boolean
 *   : F extends Texts ? string[]
 *     : | (F extends WholeNumber ? number : string)
 *       | (F extends { default: unknown } ? never : undefined)} Value
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

	/** @param {string} word */
	function explainUnknown(word) {
		const names = [...known.keys()].map((name) => `--${name}`);
		const nearest = findNearest(word.split('=')[0], names);
		return `Unknown flag "${word}". ${nearest ? `Did you mean ${nearest}?` : wayOut}`;
	}

	/**
	 * @param {readonly string[]} words
	 * @returns {{ [Option in keyof F]: Value<F[Option]> } & { help: boolean, words: string[] }}
	 */
	function parse(words) {
		/** @type {string[]} */
		const others = [];
		/** @type {Record<string, unknown>} */
		const values = { words: others };
		for (const flag of known.values()) values[flag.option] = initialValue(flag);
		for (const token of tokenize(known, words)) {
			if (token.kind === 'option') {
				const flag = known.get(token.name);
				if (!flag) throw wrongUse(explainUnknown(words[token.index]));
				const value = readValue(flag, token);
				const earlier = values[flag.option];
				values[flag.option] = Array.isArray(earlier) ? [...earlier, value] : value;
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
export const toKebabCase = (option) => option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @param {Flag} flag */
function initialValue(flag) {
	if (flag.kind === 'boolean') return false;
	if (flag.kind === 'texts') return [];
	return flag.kind === 'choice' ? undefined : flag.default;
}

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
	const accepted = accept(flag, value);
	if (accepted === undefined) throw wrongUse(`${rawName} must be ${describeValues(flag)}, not "${value}".`);
	return accepted;
}

/**
 * @param {Exclude<Flag, Switch>} flag
 * @param {string} text
 */
function accept(flag, text) {
	if (flag.kind === 'texts') return text;
	if (flag.kind === 'text') return (flag.pattern?.test(text) ?? true) ? text : undefined;
	if (flag.kind === 'choice') return flag.values.find((value) => value.toLowerCase() === text.toLowerCase());
	const { from, to = Number.MAX_SAFE_INTEGER } = flag;
	return /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined;
}

/** @param {Exclude<Flag, Switch>} flag */
function describeValues(flag) {
	if (flag.kind === 'texts') return 'any text';
	if (flag.kind === 'text') return flag.takes ?? 'any text';
	if (flag.kind === 'choice') return `one of ${flag.values.join(', ')}`;
	return `a whole number ${flag.to === undefined ? `of at least ${flag.from}` : `from ${flag.from} to ${flag.to}`}`;
}

/** @param {Map<string, Flag>} known */
function alignFlags(known) {
	return alignRows(
		[...known].flatMap(([name, flag]) => {
			if (flag.help === undefined) return [];
			const left = [flag.short ? `--${name}, -${flag.short}` : `--${name}`, label(flag)].filter(Boolean).join(' ');
			const isGiven = 'default' in flag && flag.default !== undefined;
			return [[left, isGiven ? `${flag.help} (default: ${flag.default})` : flag.help]];
		}),
	);
}

/** @param {ReadonlyArray<readonly string[]>} rows two columns */
export function alignRows(rows) {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** @param {Flag} flag */
function label(flag) {
	if (flag.kind === 'boolean') return '';
	if (flag.kind === 'number') return '<n>';
	return `<${flag.kind === 'choice' ? flag.values.join('|') : flag.label}>`;
}
