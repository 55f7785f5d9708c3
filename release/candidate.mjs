import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { npmCommand } from '../tools/process/command.mjs';
import { Failure } from '../tools/terminal/failure.mjs';
import { demandOneVersion } from './version.mjs';

/** The first npm with trusted publishing, which needs no token in a workflow. */
const TRUSTING_NPM = [11, 5, 1];

/**
 * The version to release.
 * @typedef {object} Candidate
 * @property {string} version
 * @property {string} commit its abbreviated hash
 * @property {boolean} isTagged
 * @property {boolean} isCommitted whether all files are as in the commit
 * @property {string} [token] for the upload; not needed if the registry trusts the workflow
 */

/**
 * Checks everything that can be checked quickly.
 * @param {import('./flags.mjs').Flags} flags
 * @returns {Candidate}
 */
export function findCandidate({ dry: isDry, tag = tagOfWorkflow(), n8n }) {
	if (n8n !== undefined && !isDry)
		throw new Failure('A release is tested in every supported n8n version. Leave out --n8n, or add --dry.', 2);
	const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
	const { version: locked, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
	const tags = git('tag', '--points-at', 'HEAD').split('\n').filter(Boolean);
	const changes = git('status', '--porcelain');
	const [commit, isTagged] = [git('rev-parse', '--short', 'HEAD'), tags.includes(version)];
	const token = takeToken();

	demandOneVersion({
		version,
		locked: [locked, packages[''].version],
		changelog: readFileSync('CHANGELOG.md', 'utf8'),
		tag,
		tags,
	});
	if (!isDry) {
		demandWorkflow(version, token);
		if (!isTagged) throw new Failure(`The commit ${commit} does not have the tag ${version}.`);
		if (changes) throw new Failure(`There are uncommitted changes since ${commit}. Commit or revert them:\n${changes}`);
	}
	return { version, commit, isTagged, isCommitted: changes === '', token };
}

/** GITHUB_REF_NAME may also be the name of a branch. */
function tagOfWorkflow() {
	return process.env.GITHUB_REF_TYPE === 'tag' ? process.env.GITHUB_REF_NAME : undefined;
}

/** Removes the token from the environment, so that only the upload has it. */
function takeToken() {
	const { NODE_AUTH_TOKEN: token } = process.env;
	delete process.env.NODE_AUTH_TOKEN;
	return token || undefined;
}

/**
 * @param {string} version
 * @param {string} [token]
 */
function demandWorkflow(version, token) {
	if (!process.env.ACTIONS_ID_TOKEN_REQUEST_URL) {
		throw new Failure(
			`Only the workflow "Publish" can publish, because it signs the provenance. Push the tag ${version} to start it, or add --dry to skip the upload.`,
		);
	}
	const [program, ...words] = npmCommand();
	const npm = execFileSync(program, [...words, '--version'], { encoding: 'utf8' }).trim();
	if (!token && isOlder(npm.split('.').map(Number), TRUSTING_NPM)) {
		throw new Failure(`Publishing without a token requires npm ${TRUSTING_NPM.join('.')} or later. You have ${npm}.`);
	}
}

/**
 * @param {number[]} version
 * @param {number[]} than
 */
function isOlder(version, than) {
	const at = than.findIndex((number, index) => number !== version[index]);
	return at >= 0 && version[at] < than[at];
}

/** @param {string[]} words */
function git(...words) {
	try {
		return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trimEnd();
	} catch {
		throw new Failure('git could not read this folder. Run npm run release in a git clone of the project.');
	}
}
