import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clone, release, useClone } from './clone.mts';

useClone();

describe("What n8n's scanner does not allow", () => {
	const FORBIDDEN = '\nsetTimeout(() => console.log(process.env), 1000);\n';

	it('stops a release that has it in its sources, before anything is packed', () => {
		appendFileSync(join(clone, 'nodes/ClientOnboarding/api/record.ts'), FORBIDDEN);
		const { status, stderr, steps } = release(['--dry']);
		expect(stderr).toMatch(/n8n's scanner refuses the sources(.|\n)*record\.ts(.|\n)*setTimeout/);
		expect(steps.at(-1)).toBe("✗ Scanning the sources with n8n's scanner");
		expect(status).toBe(1);
	});

	it('stops a tarball that has it, before any n8n is started', () => {
		const folder = join(clone, 'build/planted/package');
		mkdirSync(join(folder, 'dist'), { recursive: true });
		cpSync(join(clone, 'package.json'), join(folder, 'package.json'));
		writeFileSync(join(folder, 'dist/planted.js'), FORBIDDEN);
		execFileSync('tar', ['-czf', 'planted.tgz', 'package'], { cwd: join(folder, '..') });
		const { status, stderr, steps } = release(['--tarball', 'build/planted/planted.tgz']);
		expect(stderr).toMatch(/n8n's scanner refuses the tarball(.|\n)*planted\.js(.|\n)*setTimeout/);
		expect(steps.at(-1)).toBe("✗ Scanning the tarball with n8n's scanner");
		expect(status).toBe(1);
	});
});
