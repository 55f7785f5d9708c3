import { parseArgs } from 'node:util';
import { SETTINGS, SETTING_NAMES, type SettingName, type Behavior } from '../endpoints/behavior.mts';
import { FAULT_KINDS, type Fault } from '../faults/faults.mts';
import type { SandboxOptions } from '../server.mts';
import { SETTING_FLAGS, BASIC_FLAGS, DEFAULT_PORTS, type SettingFlag, type Flag } from './flagTable.mts';
import { findNearest } from './spelling.mts';

export type Command =
	| { kind: 'start'; options: SandboxOptions; verbose: boolean }
	| { kind: 'help'; text: string }
	| { kind: 'complaint'; line: string };

const FLAGS = [...BASIC_FLAGS, ...SETTING_FLAGS];
const OPTIONS = Object.fromEntries(
	FLAGS.map(({ name, value }) => [name.slice(2), { type: value ? ('string' as const) : ('boolean' as const) }]),
);

function alignRows(rows: ReadonlyArray<readonly [string, string]>): string {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Long lists of values wrap. */
function wrapValues(values: string): string {
	return values.replace(/(?=.{80})(.{1,79}\|)/g, '$1\n        ');
}

function describeSetting({ name, setting, value, help }: SettingFlag): string {
	const violations = SETTINGS[setting].violations.join('|');
	const contradicting = violations && `\n      contradicting the specification: ${violations}`;
	return `  ${name} ${wrapValues(value)}${contradicting}\n      ${help}`;
}

function describeFault(kind: string, parameters: object): string {
	const pairs = Object.entries(parameters).map((pair) => pair.join('='));
	return pairs.length === 0 ? kind : `${kind}:${pairs.join(',')}`;
}

export function writeHelp(): string {
	const basics = BASIC_FLAGS.map(({ name, value, help }) => [value ? `${name} <${value}>` : name, help] as const);
	const settings = SETTING_FLAGS.map(describeSetting);
	const faults = Object.entries(FAULT_KINDS).map(
		([kind, { parameters, help }]) => [describeFault(kind, parameters), help] as const,
	);
	return `A client onboarding service for tests. All clients are made up and kept in memory only.

npm run sandbox -- [flags]

${alignRows(basics)}

Settings: how the service behaves where its specification leaves details open.
The first value is the default. Values that contradict the specification are listed separately:

${settings.join('\n')}

Faults, with their parameters and defaults:

${alignRows(faults)}

  Each also takes endpoint=list|token|any (list), skip=<requests before the first fault> (0),
  times=<requests to affect> (all), every=<nth request> (1) and page=<page number> (all).
  Example: --fault status:code=503,times=2,skip=3
`;
}

function findFlag(name: string): Flag {
	const flag = FLAGS.find((candidate) => candidate.name === name);
	if (flag) return flag;
	const nearest = findNearest(
		name,
		FLAGS.map((candidate) => candidate.name),
	);
	throw new Error(
		`Unknown flag ${name}. ${nearest ? `Did you mean ${nearest}?` : 'Run "npm run sandbox -- --help" to list all flags.'}`,
	);
}

function readFlags(argv: readonly string[]): Array<readonly [string, unknown]> {
	// parseArgs' own messages take several lines and suggest nothing.
	const { tokens } = parseArgs({ args: [...argv], options: OPTIONS, strict: false, tokens: true });
	return tokens.map((token) => {
		if (token.kind === 'positional')
			throw new Error(`"${token.value}" is not a flag. Run "npm run sandbox -- --help" to list all flags.`);
		const flag = findFlag(argv[token.index].split('=')[0]);
		const { value = '', inlineValue } = token.kind === 'option' ? token : {};
		if (flag.value === undefined && inlineValue) throw new Error(`${flag.name} takes no value.`);
		if (flag.value !== undefined && (value === '' || (!inlineValue && value.startsWith('--')))) {
			throw new Error(`${flag.name} needs a value.`);
		}
		return flag.read(value);
	});
}

function collectOptions(settings: ReadonlyArray<readonly [string, unknown]>): SandboxOptions {
	const isSetting = (option: string) => SETTING_NAMES.includes(option as SettingName);
	const behavior = Object.fromEntries(settings.filter(([option]) => isSetting(option))) as Partial<Behavior>;
	const faults = settings.filter(([option]) => option === 'faults').map(([, fault]) => fault as Fault);
	const rest = settings.filter(([option]) => !isSetting(option) && option !== 'verbose');
	return { ...DEFAULT_PORTS, ...Object.fromEntries(rest), behavior, faults };
}

export function parseFlags(argv: readonly string[]): Command {
	try {
		const settings = readFlags(argv);
		const has = (option: string) => settings.some(([name]) => name === option);
		if (has('help')) return { kind: 'help', text: writeHelp() };
		return { kind: 'start', options: collectOptions(settings), verbose: has('verbose') };
	} catch (error) {
		return { kind: 'complaint', line: (error as Error).message };
	}
}
