// Lets Node run the package and its tests from their sources, through the compiler that jest uses.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');
const { transform } = require('../../jest.config.js');

const [[, swcOptions]] = Object.values(transform);

function compile(module, file) {
	module._compile(transformSync(readFileSync(file, 'utf8'), { ...swcOptions, filename: file }).code, file);
}

// Node tries extensions in their order: sources before JSON, since the codex file of a node is named like its source.
const { '.js': loadScript, ...others } = Module._extensions;
for (const extension of Object.keys(others)) delete Module._extensions[extension];
Object.assign(Module._extensions, { '.js': loadScript, '.ts': compile, '.mts': compile, ...others });
