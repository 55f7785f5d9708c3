import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clone, git, release, useClone } from './clone.mts';

const WORKFLOW = { ACTIONS_ID_TOKEN_REQUEST_URL: 'http://127.0.0.1:9/', NODE_AUTH_TOKEN: 'npm_secret' };

useClone();
const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };

describe('A release stops before anything is installed or packed', () => {
	const expectStop = ({ status, stderr, steps }: ReturnType<typeof release>, message: RegExp) => {
		expect(stderr).toMatch(message);
		expect(steps).toEqual(['✗ Checking version, changelog and tag']);
		expect(status).toBe(1);
	};

	it('if the tag is another version', () => {
		expectStop(release(['--dry', '--tag', '0.0.1']), /The tag is "0\.0\.1"/);
	});

	it('if the tag that started the workflow is another version', () => {
		const workflow = { ...WORKFLOW, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: '0.0.1' };
		expectStop(release([], workflow), /The tag is "0\.0\.1"/);
	});

	it('if the changelog has no entry for the version', () => {
		const file = join(clone, 'CHANGELOG.md');
		writeFileSync(file, readFileSync(file, 'utf8').replace(`## ${version}`, '## 0.0.1'));
		expectStop(release(['--dry']), /CHANGELOG\.md begins with 0\.0\.1/);
	});

	it('if it does not run in the publishing workflow', () => {
		expectStop(release(['--tag', version]), /Only the workflow "Publish" can publish/);
	});

	it('if the commit does not have the tag', () => {
		expectStop(release(['--tag', version], WORKFLOW), /does not have the tag/);
	});

	it('if files are not committed', () => {
		git('tag', version);
		appendFileSync(join(clone, 'CHANGELOG.md'), 'More\n');
		expectStop(release([], WORKFLOW), /uncommitted changes(.|\n)*CHANGELOG\.md/);
		git('tag', '--delete', version);
	});

	it.each(['package.json', 'nodes'])('if %s is given as the tarball', (file) => {
		const { status, stderr, steps } = release(['--tarball', join(clone, file)]);
		expect(stderr).toMatch(/is not an npm package/);
		expect({ status, steps }).toEqual({ status: 1, steps: [] });
	});
});
