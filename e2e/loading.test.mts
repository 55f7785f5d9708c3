import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cacheFolder } from '../tools/n8n/cache.mts';
import type { OfferedType } from '../tools/n8n/client.mts';
import { PACKAGE_NAME } from '../tools/project/package.mts';
import { sharedN8n } from './support/shared.mts';

const { client, url, session, userFolder, log } = sharedN8n();

async function expectIcons({ iconUrl }: OfferedType): Promise<void> {
	for (const path of [iconUrl?.light, iconUrl?.dark]) {
		const answer = await fetch(`${url}/${path}`, { headers: { cookie: session, connection: 'close' } });
		expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
		expect(await answer.text()).toMatch(/^<svg /);
	}
	expect(iconUrl?.light).not.toBe(iconUrl?.dark);
}

describe('The packed package in n8n', () => {
	it('contains only credentials, icons and nodes in dist', () => {
		const folder = join(userFolder, '.n8n/nodes/node_modules', PACKAGE_NAME);
		expect(readdirSync(folder).sort()).toEqual(expect.arrayContaining(['dist', 'package.json']));
		expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['credentials', 'icons', 'nodes']);
	});

	it('provides the node, its tool for AI agents and the trigger, each with both icons', async () => {
		const types = (await client.types('nodes')).filter(({ name }) => name.startsWith(`${PACKAGE_NAME}.`));
		expect(types.map(({ name }) => name.replace(`${PACKAGE_NAME}.`, '')).sort()).toEqual([
			'clientOnboarding',
			'clientOnboardingTool',
			'clientOnboardingTrigger',
		]);
		for (const type of types) {
			expect(type.credentials).toEqual([expect.objectContaining({ name: 'clientOnboardingApi' })]);
			await expectIcons(type);
		}
	});

	it('provides the credential with both icons', async () => {
		const type = (await client.types('credentials')).find(({ name }) => name === 'clientOnboardingApi');
		expect(type).toMatchObject({ displayName: 'Client Onboarding API' });
		await expectIcons(type as OfferedType);
	});

	it("leads to no complaint in n8n's log at the start", () => {
		const lines = readFileSync(log, 'utf8').split('\n');
		const ready = lines.findIndex((line) => line.includes('Editor is now accessible'));
		expect(ready).toBeGreaterThan(0);
		const about = lines
			.slice(0, ready)
			.filter((line) => line.replaceAll(cacheFolder(), '').match(/client.?onboarding/i));
		expect(about.filter((line) => !/debug.*Loaded all credentials and nodes from/.test(line))).toEqual([]);
	});
});
