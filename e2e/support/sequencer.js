const Sequencer = require('@jest/test-sequencer').default;

/** Those that take longest, and wait most of that time, begin first. */
const WAITING = /trigger|firstStart/;

module.exports = class extends Sequencer {
	sort(tests) {
		const isWaiting = ({ path }) => WAITING.test(path);
		const others = super.sort(tests.filter((test) => !isWaiting(test)));
		return [...super.sort(tests.filter(isWaiting)), ...others];
	}
};
