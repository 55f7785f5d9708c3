// The long hunts: the same test files as in `npm test`, told by DEEP to go all the way.
process.env.DEEP = 'yes';

module.exports = {
	...require('../jest.config.js'),
	rootDir: '..',
	testMatch: ['<rootDir>/test/campaign/**/*.test.mts', '<rootDir>/test/**/{day,drift,histories.*,soak}.test.mts'],
};
