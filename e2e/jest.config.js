const path = require('node:path');

module.exports = {
	rootDir: path.resolve(__dirname, '..'),
	testEnvironment: 'node',
	testMatch: ['<rootDir>/e2e/*.test.mts'],
	testPathIgnorePatterns: [
		// n8n 1.x has no durable cursors, and the console of the sandbox is the same beside every n8n.
		...(process.env.N8N_VERSION?.startsWith('1.') ? ['triggerDurable', 'e2e/console'] : []),
		// Durable cursors have no poll more often than once a minute across restarts, so these tests mostly wait.
		...(process.env.E2E_LONG
			? []
			: ['triggerDurable.days', 'triggerDurable.restarts', 'queue/triggerDays', 'queue/triggerDurable']),
	],
	globalSetup: '<rootDir>/e2e/support/start.js',
	globalTeardown: '<rootDir>/e2e/support/stop.js',
	testTimeout: 300_000,
	// The tests of triggers start first, since they mostly wait for the next poll.
	maxWorkers: 4,
	testSequencer: '<rootDir>/tools/project/longestFirst.js',
	moduleFileExtensions: ['mts', 'mjs', 'ts', 'js', 'json', 'node'],
	transform: {
		'^.+\\.(mts|mjs|ts)$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build/'],
};
