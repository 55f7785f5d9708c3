// The hunts and the wide tests: files that `npm test` runs too, told by DEEP to go further, and those that take long.
process.env.DEEP ??= 'deep';
const { availableParallelism } = require('node:os');

module.exports = {
	...require('../jest.config.js'),
	rootDir: '..',
	// The hunts often wait for a slow service; with more at once, services with a clock would be no fair ones.
	maxWorkers: availableParallelism() + 1,
	testMatch: [
		'<rootDir>/test/**/*.deep.test.mts',
		'<rootDir>/test/campaign/**/*.test.mts',
		'<rootDir>/test/**/{count,day,drift,find,histories.*,items,list.behaviors,list.faults,list.filters,list.moving,look,package,soak,state.size}.test.{ts,mts}',
	],
};
