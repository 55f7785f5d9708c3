// Lets Node run the package and its tests from their sources, through the compiler that jest uses, with or without a planted bug.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join, relative, resolve, sep } = require('node:path');
const { transformSync } = require('@swc/core');
const { transform } = require('../../jest.config.js');

const ROOT = resolve(__dirname, '../..');
const PRODUCT = ['nodes', 'credentials'].map((folder) => join(ROOT, folder) + sep);
const [[, swcOptions]] = Object.values(transform);

/** @type {{ file: string, find: string, put: string } | undefined} */
let bug;

function compile(module, file) {
	const source = readFileSync(file, 'utf8');
	const planted = bug && file === join(ROOT, bug.file) ? plantInto(source, bug) : source;
	module._compile(transformSync(planted, { ...swcOptions, filename: file }).code, file);
}

function plantInto(source, { file, find, put }) {
	const parts = source.split(find);
	if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times: ${find}`);
	return parts.join(put);
}

// Node tries extensions in their order: sources before JSON, since the codex file of a node is named like its source.
const { '.js': loadScript, ...others } = Module._extensions;
for (const extension of Object.keys(others)) delete Module._extensions[extension];
Object.assign(Module._extensions, { '.js': loadScript, '.ts': compile, '.mts': compile, ...others });

/**
 * From now on the package's files and whatever uses them are loaded anew, one of them with this bug in it.
 * @param {typeof bug} planted
 */
exports.plant = (planted) => {
	bug = planted;
	const isOurs = ({ filename }) =>
		filename.startsWith(ROOT + sep) && !relative(ROOT, filename).startsWith('node_modules');
	const isProduct = ({ filename }) => PRODUCT.some((folder) => filename.startsWith(folder));
	/** @type {Map<object, boolean>} */
	const known = new Map();
	const isStale = (module) => {
		if (!known.has(module)) {
			known.set(module, false);
			known.set(module, isProduct(module) || module.children.filter(isOurs).some(isStale));
		}
		return known.get(module);
	};
	for (const module of Object.values(require.cache).filter(isOurs).filter(isStale))
		delete require.cache[module.filename];
};
