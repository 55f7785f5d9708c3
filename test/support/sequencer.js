const Sequencer = require('@jest/test-sequencer').default;

/** Small files that take long. In a fresh clone, Jest would begin with the largest ones, and have these left at the end. */
const LONGEST = /(bugs|campaign|day|drift|histories\.\w+)\.test/;

module.exports = class extends Sequencer {
	sort(tests) {
		const isLong = ({ path }) => LONGEST.test(path);
		return [...super.sort(tests.filter(isLong)), ...super.sort(tests.filter((test) => !isLong(test)))];
	}
};
