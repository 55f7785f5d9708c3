import { describe, expect, it } from '@jest/globals';
import { Failure } from '../../../tools/terminal/failure.mjs';
import { declareFlags } from '../../../tools/terminal/flags.mjs';

const FLAGS = declareFlags({
	command: 'npm run kettle',
	purpose: 'Makes tea.',
	flags: {
		cups: { kind: 'number', from: 1, to: 12, default: 2, help: 'how many' },
		steepSeconds: { kind: 'number', from: 0, help: 'how long, if not as usual' },
		leaf: { kind: 'choice', values: ['Green', 'black'], help: 'what kind' },
		add: { kind: 'texts', label: 'what', help: 'what goes in' },
		to: { kind: 'text', short: 't', label: 'name', default: 'you', help: 'whom it is for' },
		at: { kind: 'text', label: 'hh:mm', takes: 'a time such as 16:00', pattern: /^\d\d:\d\d$/, help: 'when' },
		quiet: { kind: 'boolean', short: 'q', help: 'without the whistle' },
		water: { kind: 'text', label: 'where from' },
	},
	note: 'Mind the steam.',
});

const WITH_WORDS = declareFlags({
	command: 'npm run pour',
	purpose: 'Pours.',
	flags: { hot: { kind: 'boolean', help: 'at once' } },
	takesWords: true,
});

const DEFAULTS = {
	cups: 2,
	steepSeconds: undefined,
	leaf: undefined,
	add: [],
	to: 'you',
	at: undefined,
	quiet: false,
	water: undefined,
	help: false,
	words: [],
};

function complaint(parse: (words: string[]) => unknown, ...words: string[]): Failure {
	try {
		parse(words);
	} catch (error) {
		return error as Failure;
	}
	throw new Error(`No complaint about ${words.join(' ')}`);
}

describe('Flags of a command', () => {
	it('are all optional', () => {
		expect(FLAGS.parse([])).toEqual(DEFAULTS);
	});

	it.each([
		['--cups 1', { cups: 1 }],
		['--cups=12', { cups: 12 }],
		['--cups 3 --cups 4', { cups: 4 }],
		['--steep-seconds 0', { steepSeconds: 0 }],
		['--steep-seconds 100000', { steepSeconds: 100_000 }],
		['--leaf green', { leaf: 'Green' }],
		['--add milk --add=sugar', { add: ['milk', 'sugar'] }],
		['--water well', { water: 'well' }],
		['--to -5', { to: '-5' }],
		['--to=--all', { to: '--all' }],
		['--to=a=b', { to: 'a=b' }],
		['-t me', { to: 'me' }],
		['--at 16:00', { at: '16:00' }],
		['--quiet', { quiet: true }],
		['-qt me', { quiet: true, to: 'me' }],
		['--help', { help: true }],
		['-h', { help: true }],
		['--quiet --cups 5', { quiet: true, cups: 5 }],
	])('include %s', (line, changed) => {
		expect(FLAGS.parse(line.split(' '))).toEqual({ ...DEFAULTS, ...changed });
	});

	it('have the types of their kinds, and may be missing without a default', () => {
		const { cups, steepSeconds, add, to, at, quiet } = FLAGS.parse([]);
		const given: [number, string[], string, boolean] = [cups, add, to, quiet];
		expect(given).toEqual([2, [], 'you', false]);
		// @ts-expect-error: it may be missing
		const seconds: number = steepSeconds;
		// @ts-expect-error: it may be missing
		const time: string = at;
		expect([seconds, time]).toEqual([undefined, undefined]);
	});

	it('can be mixed with other words, and all words after -- are passed on', () => {
		expect(WITH_WORDS.parse(['one', '--hot', 'two', '--', '--hot', '--bail'])).toEqual({
			hot: true,
			help: false,
			words: ['one', 'two', '--hot', '--bail'],
		});
	});

	it.each([
		['--cusp 1', 'Unknown flag "--cusp". Did you mean --cups?'],
		['--cusp=1', 'Unknown flag "--cusp=1". Did you mean --cups?'],
		['--steepSeconds 1', 'Unknown flag "--steepSeconds". Did you mean --steep-seconds?'],
		['--constructor', 'Unknown flag "--constructor". Run "npm run kettle -- --help" to list all flags.'],
		['-xyz', 'Unknown flag "-xyz". Run "npm run kettle -- --help" to list all flags.'],
		['--no-quiet', 'Unknown flag "--no-quiet". Did you mean --quiet?'],
		['tea', '"tea" is not a flag. Run "npm run kettle -- --help" to list all flags.'],
		['-- tea', '"tea" is not a flag. Run "npm run kettle -- --help" to list all flags.'],
		['--cups', '--cups needs a value: a whole number from 1 to 12.'],
		['--cups=', '--cups needs a value: a whole number from 1 to 12.'],
		['--cups --quiet', '--cups needs a value: a whole number from 1 to 12.'],
		['--at', '--at needs a value: a time such as 16:00.'],
		['-t', '-t needs a value: any text.'],
		['--quiet=yes', '--quiet takes no value.'],
		['--quiet=', '--quiet takes no value.'],
		['--help=yes', '--help takes no value.'],
		['--cups 0', '--cups must be a whole number from 1 to 12, not "0".'],
		['--cups 13', '--cups must be a whole number from 1 to 12, not "13".'],
		['--cups -1', '--cups must be a whole number from 1 to 12, not "-1".'],
		['--cups 1.5', '--cups must be a whole number from 1 to 12, not "1.5".'],
		['--cups two', '--cups must be a whole number from 1 to 12, not "two".'],
		['--steep-seconds', '--steep-seconds needs a value: a whole number of at least 0.'],
		['--steep-seconds -1', '--steep-seconds must be a whole number of at least 0, not "-1".'],
		['--leaf', '--leaf needs a value: one of Green, black.'],
		['--leaf white', '--leaf must be one of Green, black, not "white".'],
		['--add', '--add needs a value: any text.'],
		['--at noon', '--at must be a time such as 16:00, not "noon".'],
		['--help --cups two', '--cups must be a whole number from 1 to 12, not "two".'],
	])('are refused with one line: %s', (line, message) => {
		const failure = complaint(FLAGS.parse, ...line.split(' '));
		expect(failure).toBeInstanceOf(Failure);
		expect(failure).toMatchObject({ message, exitCode: 2 });
	});

	it('are also checked if the command accepts other words', () => {
		expect(complaint(WITH_WORDS.parse, 'one', '--bail').message).toBe(
			'Unknown flag "--bail". Run "npm run pour -- --help" to list all flags.',
		);
	});

	it('are listed in the help, except for those without a text for it', () => {
		expect(FLAGS.help).toBe(`npm run kettle -- [flags]

Makes tea.

  --cups <n>            how many (default: 2)
  --steep-seconds <n>   how long, if not as usual
  --leaf <Green|black>  what kind
  --add <what>          what goes in
  --to, -t <name>       whom it is for (default: you)
  --at <hh:mm>          when
  --quiet, -q           without the whistle
  --help, -h            print this help

Mind the steam.
`);
		expect(WITH_WORDS.help).toMatch(/print this help\n$/);
	});
});
