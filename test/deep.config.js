// The hunts and the wide tests: files that `npm test` runs too, told by DEEP to go further, and those that take long.
process.env.DEEP ??= 'deep';
const { availableParallelism } = require('node:os');

module.exports = {
	...require('../jest.config.js'),
	rootDir: '..',
	// Most of them work all the time, and services with a clock are no fair ones on a machine that is too busy.
	maxWorkers: availableParallelism(),
	testMatch: [
		'<rootDir>/test/**/*.deep.test.mts',
		'<rootDir>/test/campaign/**/*.test.mts',
		'<rootDir>/test/**/{count,day,drift,find,histories.*,items,list.dialects,list.faults,list.filters,list.moving,look,package,soak,state.size}.test.{ts,mts}',
	],
};
