import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { WorkflowDraft } from '../tools/n8n/client.mts';
import { TABLES } from '../tools/n8n/examples.mts';

const namesIn = (folder: string, ending: string) =>
	readdirSync(folder)
		.filter((file) => file.endsWith(ending))
		.map((file) => file.slice(0, -ending.length));

const EXAMPLES = namesIn('examples', '.json');
const readMe = readFileSync('examples/README.md', 'utf8');
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

it('Every example has a test in real n8n servers, and every such test has an example', () => {
	expect(EXAMPLES.length).toBeGreaterThan(10);
	const inCamelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
	expect(namesIn('e2e/gallery', '.mts')).toEqual(EXAMPLES.map(inCamelCase));
});

it("Every example has a unique id in n8n's format, which n8n's command line needs for an import", () => {
	const ids = EXAMPLES.map((example) => JSON.parse(readFileSync(`examples/${example}.json`, 'utf8')).id as string);
	expect(ids.filter((id) => !/^\w{16}$/.test(id))).toEqual([]);
	expect(new Set(ids).size).toBe(EXAMPLES.length);
});

/** The display names of node types. */
const DISPLAY_NAMES: Record<string, string> = {
	agent: 'AI Agent',
	chatTrigger: 'Chat Trigger',
	compareDatasets: 'Compare Datasets',
	convertToFile: 'Convert to File',
	dataTable: 'Data Table',
	filter: 'Filter',
	set: 'Edit Fields',
	splitInBatches: 'Loop Over Items',
	splitOut: 'Split Out',
	stopAndError: 'Stop and Error',
	emailSend: 'Send Email',
	errorTrigger: 'Error Trigger',
	httpRequest: 'HTTP Request',
	if: 'If',
	lmChatOpenAi: 'OpenAI Chat Model',
	mcpTrigger: 'MCP Server Trigger',
	scheduleTrigger: 'Schedule Trigger',
	wait: 'Wait',
};

describe('The list of examples', () => {
	const nodesOf = (example: string) =>
		(JSON.parse(readFileSync(`examples/${example}.json`, 'utf8')) as WorkflowDraft).nodes;
	const rows = [...readMe.matchAll(/^\| \[.*?\]\(#.*?\) +\| (.*?) +\| (.*?) +\|$/gm)];

	it('names the other nodes of each example', () => {
		const named = rows.map(([, , nodes]) => nodes.split(', ').sort().join());
		const used = EXAMPLES.map((example) => {
			const types = nodesOf(example).map(({ type }) => type.split('.')[1]);
			const shown = types.flatMap((type) => DISPLAY_NAMES[type] ?? []);
			expect(types.filter((type) => !(type in DISPLAY_NAMES) && !/^(clientOnb|stickyNote|manual)/.test(type))).toEqual(
				[],
			);
			return [...new Set(shown)].sort().join() || 'none';
		});
		expect(named.sort()).toEqual(used.sort());
	});

	it('gives the intervals and waiting times of the examples', () => {
		const parameters = (example: string, node: RegExp) =>
			nodesOf(example).find(({ type }) => node.test(type))?.parameters;
		expect(parameters('declined-clients-to-a-chat', /Trigger$/)?.pollTimes).toEqual({
			item: [{ mode: 'everyMinute' }],
		});
		expect(parameters('pending-too-long', /Trigger$/)?.stalledAfterDays).toBe(7);
		expect(parameters('mondays-counts', /schedule/)).toMatchObject({ rule: { interval: [{ triggerAtDay: [1] }] } });
		expect(parameters('csv-for-compliance', /schedule/)).toMatchObject({
			rule: { interval: [{ field: 'months', triggerAtDayOfMonth: 1 }] },
		});
	});

	it.each(Object.entries(TABLES))('names the columns of the table of %s in its note', (example, { columns }) => {
		const nodes = nodesOf(example);
		const note = String(nodes.find(({ type }) => type === STICKY_NOTE)?.parameters.content);
		const [, named] = /the (?:text )?columns ([^.]*)\./.exec(note) ?? [];
		expect(named.match(/\w+(?=`)/g)).toEqual(columns);
		const written = nodes.flatMap(({ parameters }) =>
			Object.keys((parameters.columns as { value: object } | undefined)?.value ?? {}),
		);
		expect(written.filter((column) => !columns.includes(column))).toEqual([]);
	});
});

describe.each(EXAMPLES)('The example %s', (example) => {
	const text = readFileSync(`examples/${example}.json`, 'utf8');
	const { name, nodes, connections } = JSON.parse(text) as WorkflowDraft;

	it('is in the list of examples with a picture', () => {
		expect(readMe).toContain(`## ${name}\n`);
		expect(readMe).toContain(`(${example}.json)`);
		expect(readMe).toContain(`(../docs/images/examples/${example}.png)`);
		expect(existsSync(`docs/images/examples/${example}.png`)).toBe(true);
	});

	it('has a note that names every node that the user has to fill in', () => {
		const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
		expect(notes).toHaveLength(1);
		const content = String(notes[0].parameters.content);
		const wanting = nodes.filter(
			({ type, parameters }) => parameters.url || /emailSend|dataTable|mcpTrigger|lmChat/.test(type),
		);
		for (const { name: node } of wanting) expect(content).toContain(`**${node}**`);
		expect(content).toMatch(/credential|Error workflow/);
	});

	it('contains no credential, and its connections are complete', () => {
		expect(text).not.toContain('"credentials"');
		const names = nodes.map(({ name: node }) => node);
		expect(new Set(names).size).toBe(names.length);
		const targets = [...JSON.stringify(connections).matchAll(/"node":"([^"]+)"/g)].map(([, target]) => target);
		for (const node of [...Object.keys(connections), ...targets]) expect(names).toContain(node);
		const connected = new Set([...Object.keys(connections), ...targets]);
		for (const { name: node, type } of nodes) expect(connected.has(node)).toBe(type !== STICKY_NOTE);
	});
});
