const path = require('node:path');

module.exports = {
	rootDir: path.resolve(__dirname, '..'),
	testEnvironment: 'node',
	testMatch: ['<rootDir>/e2e/*.test.mts'],
	globalSetup: '<rootDir>/e2e/support/start.js',
	globalTeardown: '<rootDir>/e2e/support/stop.js',
	testTimeout: 120_000,
	maxWorkers: 2,
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
