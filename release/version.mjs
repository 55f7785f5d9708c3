import { Failure } from '../tools/terminal/failure.mjs';

/**
 * The version in the files and the commit.
 * @typedef {object} Claims
 * @property {string} version in package.json
 * @property {string[]} locked in package-lock.json, which has it twice
 * @property {string} changelog
 * @property {string} [tag] of the release, if it is known
 * @property {string[]} tags of the commit
 */

/**
 * Stops the release if the versions differ.
 * @param {Claims} claims
 */
export function demandOneVersion({ version, locked, changelog, tag, tags }) {
	if (!/^\d+\.\d+\.\d+$/.test(version)) {
		throw new Failure(`package.json has the version ${version}. A release has three numbers, such as 1.2.3.`);
	}
	const unlike = locked.find((found) => found !== version);
	if (unlike !== undefined) {
		throw new Failure(
			`package.json has the version ${version}, but package-lock.json has ${unlike}. Run "npm install" to update it.`,
		);
	}
	demandNotes(version, changelog);
	if (tag !== undefined && tag !== version) {
		throw new Failure(
			`The tag is "${tag}", but package.json has the version ${version}. Tag the commit with the version, or change the version.`,
		);
	}
	const other = tags.find((name) => /^v?\d+\.\d+\.\d+/.test(name) && name !== version);
	if (other !== undefined) {
		throw new Failure(
			`This commit has the tag ${other}, but package.json has the version ${version}. Remove the tag, or commit its version.`,
		);
	}
}

/** @param {string} changelog */
function newestSection(changelog) {
	return changelog.split(/^## /m)[1] ?? '';
}

/**
 * The newest section of the changelog without its title. Its links to files lead to those of the version.
 * @param {string} changelog
 * @param {string} files address of the files of the version
 */
export function writeNotes(changelog, files) {
	const notes = newestSection(changelog).replace(/^.*\n/, '').trim();
	return `${notes.replace(/\]\((?!https?:)/g, `](${files}/`)}\n`;
}

/**
 * @param {string} version
 * @param {string} changelog
 */
function demandNotes(version, changelog) {
	const newest = newestSection(changelog);
	const [title] = newest.split(/\s/);
	if (title !== version) {
		const facts = title ? `CHANGELOG.md begins with ${title}` : 'CHANGELOG.md has no section';
		throw new Failure(`${facts}. Say what is new in ${version}, in a section "## ${version}" at its top.`);
	}
	if (!/\n\s*\S/.test(newest)) {
		throw new Failure(`The section "## ${version}" of CHANGELOG.md is empty. Say what is new in it.`);
	}
}
