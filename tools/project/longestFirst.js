const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** In a fresh clone, Jest starts with the largest files. These take longest, so they start first. */
const LONGEST = [
	...[
		'list.token',
		'list.tokenLives',
		'ClientOnboardingTrigger',
		'list.faults',
		'operations',
		'triggerRuns',
		'executions',
	],
	...['firstStart', 'triggerDurable', 'trigger', 'triggerDays', 'cluster', 'browser', 'console'],
];

module.exports = class extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
	}
};

function rankOf({ path }) {
	const place = LONGEST.findIndex((name) => basename(path).startsWith(`${name}.`));
	return place < 0 ? LONGEST.length : place;
}
