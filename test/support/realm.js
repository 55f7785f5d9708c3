// Test files run in the realm of Node itself, as the package does in n8n. Each file loads our own code again.
// Packages are loaded once for all files of a worker, by Node (packages.js): n8n's engine alone takes seconds.
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
require('./environment.js');

const REALM = vm.createContext();

// Jest compiles every file for a context object. This one stands for Node's own realm, which has none.
const { compileFunction } = vm;
vm.compileFunction = (source, parameters, options) =>
	compileFunction(
		source,
		parameters,
		options?.parsingContext === REALM ? { ...options, parsingContext: undefined } : options,
	);

class Realm extends TestEnvironment {
	constructor(...args) {
		super(...args);
		this.global = globalThis;
		this.moduleMocker = new this.moduleMocker.constructor(globalThis);
		globalThis.requirePackage = require;
	}

	getVmContext() {
		return this.context && REALM;
	}

	/** Jest keeps data about the tests of a file here, which the next file must not get. */
	async teardown() {
		await super.teardown();
		delete globalThis.__coverage__;
		for (const key of Object.getOwnPropertySymbols(globalThis))
			if (/^EVENT_HANDLERS$|^JEST_STATE/.test(key.description)) delete globalThis[key];
	}
}

module.exports = Realm;
