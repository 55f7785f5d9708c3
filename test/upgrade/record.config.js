module.exports = {
	...require('../../jest.config'),
	rootDir: '../..',
	testMatch: ['<rootDir>/test/upgrade/record.mts'],
};
