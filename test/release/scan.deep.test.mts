import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clone, release, useClone } from './clone.mts';

useClone();

describe("Code that n8n's scanner forbids", () => {
	const FORBIDDEN = '\nsetTimeout(() => console.log(process.env), 1000);\n';

	it('stops a release before packing if it is in the sources', () => {
		appendFileSync(join(clone, 'nodes/ClientOnboarding/api/record.ts'), FORBIDDEN);
		const { status, stderr, steps } = release(['--dry']);
		expect(stderr).toMatch(/n8n's scanner rejected the sources(.|\n)*record\.ts(.|\n)*setTimeout/);
		expect(steps.at(-1)).toBe("✗ Scanning the sources with n8n's scanner");
		expect(status).toBe(1);
	});

	it('stops the trial of a tarball before n8n is started if it is in the tarball', () => {
		const folder = join(clone, 'build/forbidden/package');
		mkdirSync(join(folder, 'dist'), { recursive: true });
		cpSync(join(clone, 'package.json'), join(folder, 'package.json'));
		writeFileSync(join(folder, 'dist/forbidden.js'), FORBIDDEN);
		execFileSync('tar', ['-czf', 'forbidden.tgz', 'package'], { cwd: join(folder, '..') });
		const { status, stderr, steps } = release(['--tarball', 'build/forbidden/forbidden.tgz']);
		expect(stderr).toMatch(/n8n's scanner rejected the tarball(.|\n)*forbidden\.js(.|\n)*setTimeout/);
		expect(steps.at(-1)).toBe("✗ Scanning the tarball with n8n's scanner");
		expect(status).toBe(1);
	});
});
