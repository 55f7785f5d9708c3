const Sequencer = require('@jest/test-sequencer').default;

/** In a fresh clone, Jest would begin with the largest files, and have these, which take longest, left at the end. */
const LONGEST = /\/(bugs|campaign|day|drift|histories\.\w+|firstStart|trigger\w*(\.\w+)?)\.test\.mts$/;

module.exports = class extends Sequencer {
	sort(tests) {
		const isLong = ({ path }) => LONGEST.test(path);
		return [...super.sort(tests.filter(isLong)), ...super.sort(tests.filter((test) => !isLong(test)))];
	}
};
