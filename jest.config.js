const { availableParallelism } = require('node:os');

module.exports = {
	testEnvironment: '<rootDir>/test/support/realm.js',
	// Many tests wait for a slow service rather than work.
	maxWorkers: 3 * availableParallelism(),
	testSequencer: '<rootDir>/tools/project/longestFirst.js',
	testTimeout: 60_000,
	setupFilesAfterEnv: ['<rootDir>/test/support/afterAll.mts'],
	testMatch: ['<rootDir>/test/**/!(*.deep).test.{ts,mts}'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
	transformIgnorePatterns: [],
	transform: {
		'\\.(mts|mjs|ts)$|/node_modules/(string-width|get-east-asian-width)/': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
		'/node_modules/(@n8n|ajv|fast-check|n8n-core|n8n-workflow|reflect-metadata|selfsigned|undici|yaml)/':
			'<rootDir>/test/support/packages.js',
	},
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageThreshold: { global: { lines: 90, branches: 90 } },
	coverageReporters: ['text'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build/'],
};
