import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FOLDERS, TARBALL, VERSION } from './support/shared.mts';

describe('npm run release', () => {
	it('stops with the reason if n8n cannot load the tarball', () => {
		const folder = join(FOLDERS, 'broken');
		mkdirSync(folder);
		execFileSync('tar', ['-xzf', TARBALL, '-C', folder]);
		rmSync(join(folder, 'package/dist/nodes/ClientOnboarding/api/http.js'));
		const broken = join(folder, 'broken.tgz');
		execFileSync('tar', ['-czf', broken, '-C', folder, 'package']);

		const command = [resolve('release/run.mjs'), '--tarball', broken, '--n8n', VERSION];
		const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
		expect(stderr).toContain(`n8n ${VERSION} cannot load this tarball: Cannot find module './http'.`);
		expect(stdout.trimEnd().split('\n').at(-1)).toBe(`✗ Testing the tarball in n8n ${VERSION}`);
		expect(status).toBe(1);
	}, 300_000);
});
