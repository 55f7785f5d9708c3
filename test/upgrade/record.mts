import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { clientsOf, isTrigger, Life, runNode, runTrigger, type Saved } from './runs.mts';

const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
const file = join(__dirname, `${version}.json`);

it(`What version ${version} remembers, and what comes of its nodes, is written down`, async () => {
	const { workflow } = JSON.parse(readFileSync(file, 'utf8')) as Saved;
	const clients = clientsOf(__dirname);
	const staticData: Record<string, IDataObject> = {};
	const outcomes: Saved['outcomes'] = {};
	for (const node of workflow.nodes) {
		expect(outcomes).not.toHaveProperty([node.name]);
		const life = await Life.begin(clients);
		outcomes[node.name] = isTrigger(node)
			? await runTrigger(life, node, ({ saved = '{}' }) => {
					staticData[`node:${node.name}`] = JSON.parse(saved) as IDataObject;
				})
			: await runNode(life.service, node, clients);
	}
	const recorded: Saved = { workflow: { ...workflow, staticData }, outcomes };
	writeFileSync(file, `${JSON.stringify(recorded, undefined, '\t')}\n`);
});
