// Lets Node run the tests' TypeScript on the built package: what stands in dist/ takes the place of its source.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, relative, resolve, sep } = require('node:path');
const { transformSync } = require('@swc/core');
const { transform } = require('../../jest.config.js');

const ROOT = resolve(__dirname, '../..');
const DIST = join(ROOT, 'dist');
const [[, swcOptions]] = Object.values(transform);

/** @type {{ file: string, find: string, put: string } | undefined} */
let bug;

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...rest) => {
	const target = request.startsWith('.') && parent?.filename ? relative(ROOT, resolve(dirname(parent.filename), request)) : '';
	const isSource = /^(nodes|credentials)[\\/]/.test(target);
	return resolveFilename(isSource ? join(DIST, `${target}.js`) : request, parent, ...rest);
};

Module._extensions['.mts'] = (module, file) => {
	module._compile(transformSync(readFileSync(file, 'utf8'), { ...swcOptions, filename: file }).code, file);
};

const loadScript = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => {
	if (file !== (bug && join(DIST, bug.file))) return loadScript(module, file);
	const parts = readFileSync(file, 'utf8').split(bug.find);
	if (parts.length !== 2) throw new Error(`${bug.file} holds ${parts.length - 1} times: ${bug.find}`);
	module._compile(parts.join(bug.put), file);
};

/**
 * From now on the built files and whatever uses them are loaded anew, one of them with this bug in it.
 * @param {typeof bug} planted
 */
exports.plant = (planted) => {
	bug = planted;
	const isOurs = ({ filename }) => filename.startsWith(ROOT + sep) && !relative(ROOT, filename).startsWith('node_modules');
	/** @type {Map<object, boolean>} */
	const known = new Map();
	const isStale = (module) => {
		if (!known.has(module)) {
			known.set(module, false);
			known.set(module, module.filename.startsWith(DIST) || module.children.filter(isOurs).some(isStale));
		}
		return known.get(module);
	};
	for (const module of Object.values(require.cache).filter(isOurs).filter(isStale)) delete require.cache[module.filename];
};
