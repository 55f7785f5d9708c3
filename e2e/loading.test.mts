import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cacheFolder } from '../tools/n8n/cache.mts';
import { PACKAGE_NAME } from '../tools/project/package.mts';
import { sharedN8n } from './support/shared.mts';

interface TypeDescription {
	name: string;
	displayName: string;
	icon?: unknown;
	iconUrl?: { light: string; dark: string };
	credentials?: Array<{ name: string }>;
	codex?: { categories?: string[] };
	usableAsTool?: boolean;
}

const { url, session, userFolder, log } = sharedN8n();

async function readTypes(kind: 'nodes' | 'credentials'): Promise<TypeDescription[]> {
	const answer = await fetch(`${url}/types/${kind}.json`, { headers: { cookie: session } });
	return (await answer.json()) as TypeDescription[];
}

async function expectIcons({ iconUrl }: TypeDescription): Promise<void> {
	for (const path of [iconUrl?.light, iconUrl?.dark]) {
		const answer = await fetch(`${url}/${path}`, { headers: { cookie: session } });
		expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
		expect(await answer.text()).toMatch(/^<svg /);
	}
	expect(iconUrl?.light).not.toBe(iconUrl?.dark);
}

describe('the packed package in n8n', () => {
	it('holds what is needed at run time and nothing else', () => {
		const folder = join(userFolder, '.n8n/nodes/node_modules', PACKAGE_NAME);
		expect(readdirSync(folder).sort()).toEqual(expect.arrayContaining(['dist', 'package.json']));
		expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['credentials', 'icons', 'nodes']);
	});

	it('offers the node, its twin for AI agents and the trigger, under their real names with both icons', async () => {
		const types = (await readTypes('nodes')).filter(({ name }) => name.startsWith(`${PACKAGE_NAME}.`));
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

	it('offers the credential with both icons', async () => {
		const type = (await readTypes('credentials')).find(({ name }) => name === 'clientOnboardingApi');
		expect(type).toMatchObject({ displayName: 'Client Onboarding API' });
		await expectIcons(type as TypeDescription);
	});

	it('gives n8n nothing to complain about in its log while it starts', () => {
		const lines = readFileSync(log, 'utf8').split('\n');
		const ready = lines.findIndex((line) => line.includes('Editor is now accessible'));
		expect(ready).toBeGreaterThan(0);
		const about = lines
			.slice(0, ready)
			.filter((line) => line.replaceAll(cacheFolder(), '').match(/client.?onboarding/i));
		expect(about.filter((line) => !/debug.*Loaded all credentials and nodes from/.test(line))).toEqual([]);
	});
});
