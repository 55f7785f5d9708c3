const { execFile } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = (done) =>
	execFile(process.execPath, [require.resolve('typescript/bin/tsc')], (error, output) => {
		if (error) console.error(output);
		done(error && new Error('The TypeScript compiler found mistakes, see above'));
	});

const copyIcons = () => src('icons/*.svg').pipe(dest('dist/icons'));

// The codex files place the nodes in n8n's node panel.
const copyCodex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

exports.build = series(clean, parallel(compile, copyIcons, copyCodex));
exports.default = exports.build;
