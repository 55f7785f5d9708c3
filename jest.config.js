const { availableParallelism } = require('node:os');

module.exports = {
	testEnvironment: 'node',
	// Many tests wait for a slow service rather than work.
	maxWorkers: 2 * availableParallelism(),
	testTimeout: 60_000,
	// Jest is slow to look these up, unless they are handed to every file.
	sandboxInjectedGlobals: 'Array Boolean Date JSON Map Math Number Object Reflect Set String'.split(' '),
	setupFiles: ['<rootDir>/test/support/environment.js'],
	setupFilesAfterEnv: ['<rootDir>/test/support/afterAll.mts'],
	testMatch: ['<rootDir>/test/**/*.test.{ts,mts}'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
	transform: {
		'^.+\\.(mts|mjs|ts)$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageThreshold: { global: { lines: 100, branches: 100 } },
	coverageReporters: ['text'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build/'],
};
