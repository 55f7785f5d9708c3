// The randomized and the large tests. `npm test` runs most of these files with fewer cases.
process.env.DEEP ??= 'deep';
const { availableParallelism } = require('node:os');

module.exports = {
	...require('../jest.config.js'),
	rootDir: '..',
	// These tests often wait for a slow service. With more at once, services with a clock would be too slow.
	maxWorkers: availableParallelism() + 2,
	testMatch: [
		'<rootDir>/test/**/*.deep.test.mts',
		'<rootDir>/test/randomized/**/*.test.mts',
		'<rootDir>/test/**/{codec,count,find,items,list.behaviors,list.faults,list.filters,list.moving,list.requests,list.tokenLives,newestFirst,package,sandbox/clients}.test.{ts,mts}',
	],
};
