const { globalSetup, globalTeardown, ...shared } = require('../jest.config.js');

/** Every file has its own cluster, since tests end parts of it. */
module.exports = { ...shared, testMatch: ['<rootDir>/e2e/queue/*.test.mts'] };
