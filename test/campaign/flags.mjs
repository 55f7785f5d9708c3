import { parseArgs } from 'node:util';
import { Failure } from '../../tools/terminal/failure.mjs';

export const HELP = `npm run campaign -- [flags]

Hunts for a combination of readings, faults, data and options under which the package breaks a promise.

  --minutes <n>   how long to go on drawing combinations after all pairs are covered (1)
  --seed <n>      another seed, other combinations (today's date)
  --jobs <n>      processes at work (2)
  --only <what>   parts with commas between them, or one case in braces, as a broken promise prints it
                  parts: PARTS
  --help          print this
`;

/**
 * What the words after `npm run campaign --` ask for.
 * @param {string[]} words
 */
export function readFlags(words) {
	const { minutes, seed, jobs, only, help } = parse(words);
	return {
		help,
		minutes: readNumber('--minutes', minutes, 0, 10_000),
		seed: readNumber('--seed', seed ?? today(), 0, 2 ** 31),
		jobs: readNumber('--jobs', jobs, 1, 64),
		only,
	};
}

/** @param {string[]} words */
function parse(words) {
	try {
		return parseArgs({
			args: words,
			options: {
				minutes: { type: 'string', default: '1' },
				seed: { type: 'string' },
				jobs: { type: 'string', default: '2' },
				only: { type: 'string' },
				help: { type: 'boolean', short: 'h', default: false },
			},
		}).values;
	} catch (error) {
		throw new Failure(`${/** @type {Error} */ (error).message}. "npm run campaign -- --help" lists the flags.`, 2);
	}
}

function today() {
	return new Date().toISOString().slice(0, 10).replaceAll('-', '');
}

/**
 * @param {string} flag
 * @param {string} text
 * @param {number} lowest
 * @param {number} highest
 */
function readNumber(flag, text, lowest, highest) {
	if (/^\d+$/.test(text) && Number(text) >= lowest && Number(text) <= highest) return Number(text);
	throw new Failure(`${flag} takes a whole number, ${lowest} to ${highest}, not "${text}".`, 2);
}
