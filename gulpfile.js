const { execFile, spawn } = require('node:child_process');
const { mkdir, rm, writeFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = (done) =>
	execFile(process.execPath, ['node_modules/typescript-native/bin/tsc'], (error, output) => {
		if (error) console.error(output);
		done(error && new Error('The TypeScript compiler found mistakes, see above'));
	});

const copyIcons = () => src('icons/*.svg').pipe(dest('dist/icons'));

// The codex files place the nodes in n8n's node panel.
const copyCodex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

// What the editor shows of a node that has not run yet, made from the same lists as the node itself.
const writePreviews = async () => {
	const { previews } = require('./dist/nodes/ClientOnboarding/previews.js');
	for (const [name, preview] of Object.entries(previews)) {
		const file = join('dist/nodes/ClientOnboarding/__schema__', name);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, `${JSON.stringify(preview, null, '\t')}\n`);
	}
};

const build = series(clean, parallel(compile, copyIcons, copyCodex), writePreviews);

/** A script of package.json, as a task. */
const script = (name) =>
	Object.assign(() => spawn('npm', ['run', '--silent', name], { stdio: 'inherit' }), { displayName: name });

exports.build = build;
// Each of the two needs one processor most of the time, and both take about as long.
exports.check = parallel(script('lint'), series(script('format'), script('layers'), script('typecheck'), build));
exports.default = exports.build;
