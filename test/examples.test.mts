import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { WorkflowDraft } from '../tools/n8n/client.mts';

const namesIn = (folder: string, ending: string) =>
	readdirSync(folder)
		.filter((file) => file.endsWith(ending))
		.map((file) => file.slice(0, -ending.length));

const EXAMPLES = namesIn('examples', '.json');
const readMe = readFileSync('examples/README.md', 'utf8');
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

it('Every example has a story in real n8n servers, and every story an example', () => {
	expect(EXAMPLES.length).toBeGreaterThan(10);
	const inCamelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
	expect(namesIn('e2e/gallery', '.mts')).toEqual(EXAMPLES.map(inCamelCase));
});

describe.each(EXAMPLES)('The example %s', (example) => {
	const text = readFileSync(`examples/${example}.json`, 'utf8');
	const { name, nodes, connections } = JSON.parse(text) as WorkflowDraft;

	it('is told in the list of examples, with a picture', () => {
		expect(readMe).toContain(`## ${name}\n`);
		expect(readMe).toContain(`(${example}.json)`);
		expect(readMe).toContain(`(../docs/images/examples/${example}.png)`);
		expect(existsSync(`docs/images/examples/${example}.png`)).toBe(true);
	});

	it('has a note that names every node that wants something of the user', () => {
		const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
		expect(notes).toHaveLength(1);
		const content = String(notes[0].parameters.content);
		const wanting = nodes.filter(
			({ type, parameters }) => parameters.url || /emailSend|dataTable|mcpTrigger|lmChat/.test(type),
		);
		for (const { name: node } of wanting) expect(content).toContain(`**${node}**`);
		expect(content).toMatch(/credential|Error workflow/);
	});

	it('holds no credential, and connects nodes that are there', () => {
		expect(text).not.toContain('"credentials"');
		const names = nodes.map(({ name: node }) => node);
		expect(new Set(names).size).toBe(names.length);
		const targets = [...JSON.stringify(connections).matchAll(/"node":"([^"]+)"/g)].map(([, target]) => target);
		for (const node of [...Object.keys(connections), ...targets]) expect(names).toContain(node);
		const connected = new Set([...Object.keys(connections), ...targets]);
		for (const { name: node, type } of nodes) expect(connected.has(node)).toBe(type !== STICKY_NOTE);
	});
});
