// The hunts: the same test files as in `npm test`, told by DEEP to go further.
process.env.DEEP ??= 'deep';
const { availableParallelism } = require('node:os');

module.exports = {
	...require('../jest.config.js'),
	rootDir: '..',
	// Most of them work all the time, and services with a clock are no fair ones on a machine that is too busy.
	maxWorkers: availableParallelism(),
	testMatch: ['<rootDir>/test/campaign/**/*.test.mts', '<rootDir>/test/**/{day,drift,histories.*,soak}.test.mts'],
};
