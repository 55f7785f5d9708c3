const { globalSetup, globalTeardown, ...shared } = require('../jest.config.js');

/** Every file has a cluster of its own, since it ends parts of it. */
module.exports = { ...shared, testMatch: ['<rootDir>/e2e/queue/*.test.mts'] };
