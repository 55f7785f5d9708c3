import { describe, expect, it } from '@jest/globals';
import { demandOneVersion, writeNotes, type Claims } from '../../release/version.mjs';

const CHANGELOG = '# Changes\n\n## 1.2.3\n\n- Something new.\n\n## 1.2.2\n\n- Something old.\n';
const AGREED: Claims = {
	version: '1.2.3',
	locked: ['1.2.3', '1.2.3'],
	changelog: CHANGELOG,
	tag: '1.2.3',
	tags: ['1.2.3'],
};

describe('A release', () => {
	it.each<[string, Partial<Claims>]>([
		['files, notes and tag have the same version', {}],
		['there is no tag yet', { tag: undefined, tags: [] }],
		['the commit has tags that are no versions', { tags: ['tested', '1.2.3'] }],
		['its section has more than the version in its title', { changelog: '## 1.2.3 (a Tuesday)\n- News\n' }],
		['its section is the only one', { changelog: '## 1.2.3\n\n- News' }],
	])('goes on if %s', (_, claims) => {
		expect(() => demandOneVersion({ ...AGREED, ...claims })).not.toThrow();
	});

	it.each<[string, Partial<Claims>, RegExp]>([
		['package-lock.json has another version', { locked: ['1.2.2', '1.2.3'] }, /package-lock\.json has 1\.2\.2/],
		['package-lock.json has two versions', { locked: ['1.2.3', '1.2.2'] }, /package-lock\.json has 1\.2\.2/],
		['the version is no release', { version: '1.2.3-beta.1', locked: ['1.2.3-beta.1'] }, /three numbers/],
		['the tag is another version', { tag: '1.2.4' }, /tag is "1\.2\.4".*1\.2\.3/],
		['the tag has more than the version', { tag: 'v1.2.3' }, /tag is "v1\.2\.3"/],
		['the tag is empty', { tag: '' }, /The tag is ""/],
		['the commit has the tag of another version', { tag: undefined, tags: ['1.2.2'] }, /has the tag 1\.2\.2/],
		['the commit has the tags of two versions', { tags: ['1.2.3', 'v1.2.2'] }, /has the tag v1\.2\.2/],
		['the changelog is empty', { changelog: '# Changes\n' }, /has no section.*"## 1\.2\.3"/],
		['the changelog begins with another version', { changelog: '## 1.2.30\n- News\n' }, /begins with 1\.2\.30/],
		['its section is not the first', { changelog: `## 1.3.0\n- News\n${CHANGELOG}` }, /begins with 1\.3\.0/],
		['its section is empty', { changelog: '## 1.2.3\n\n \n## 1.2.2\n- Old\n' }, /section "## 1\.2\.3".*empty/],
	])('stops if %s', (_, claims, message) => {
		expect(() => demandOneVersion({ ...AGREED, ...claims })).toThrow(message);
	});
});

describe('The notes of a release', () => {
	it('are the newest section of the changelog, with links to the files of the version', () => {
		const changelog =
			'# Changes\n\n## 1.2.3\n\n- [New](docs/new.md), [elsewhere](https://example.com).\n\n## 1.2.2\n\n- Old\n';
		expect(writeNotes(changelog, 'https://example.com/blob/1.2.3')).toBe(
			'- [New](https://example.com/blob/1.2.3/docs/new.md), [elsewhere](https://example.com).\n',
		);
	});
});
