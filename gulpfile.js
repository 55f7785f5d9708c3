const { execFile } = require('node:child_process');
const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = (done) =>
	execFile(process.execPath, [require.resolve('typescript/bin/tsc')], (error, output) => {
		if (error) console.error(output);
		done(error && new Error('The TypeScript compiler found mistakes, see above'));
	});

// The compiler indents with four spaces and says what only other compilers read; that would be an eighth of the package.
const WASTE = /^(Object\.defineProperty\(exports, "__esModule".*|exports\..* = void 0;)\n/gm;
// Calls that keep a function from seeing the module as `this`, which none of ours looks at.
const DETOUR = /\(0, (\w+\.\w+)\)\(/g;
const TRAILING_COMMA = /,(?=\n *[)\]}])/g;
const trim = async () => {
	const names = await readdir('dist', { recursive: true });
	const scripts = names.filter((name) => name.endsWith('.js')).map((name) => join('dist', name));
	await Promise.all(
		scripts.map(async (file) => {
			const text = (await readFile(file, 'utf8')).replace(WASTE, '').replace(DETOUR, '$1(').replace(TRAILING_COMMA, '');
			await writeFile(file, text.replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4)));
		}),
	);
};

const copyIcons = () => src('icons/*.svg').pipe(dest('dist/icons'));

// The codex files place the nodes in n8n's node panel.
const copyCodex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

exports.build = series(clean, parallel(series(compile, trim), copyIcons, copyCodex));
exports.default = exports.build;
