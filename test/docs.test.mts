import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeProperties, INodeType } from 'n8n-workflow';
import { parse } from 'yaml';
import { ClientOnboarding } from '../nodes/ClientOnboarding/ClientOnboarding.node';
import { operations } from '../nodes/ClientOnboarding/operations';
import { filtersField } from '../nodes/ClientOnboarding/parameters/properties';
import { ClientOnboardingTrigger } from '../nodes/ClientOnboarding/ClientOnboardingTrigger.node';
import { N8N_VERSIONS } from '../tools/n8n/versions.mjs';
import { Poller } from './support/poller.mts';
import { startService, type Service } from './support/service.mts';

const ROOT = resolve(__dirname, '..');
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
	cwd: ROOT,
	encoding: 'utf8',
})
	.trim()
	.split('\n');
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** The anchor that GitHub makes of a heading. */
function anchorsOf(text: string): string[] {
	const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
	return headings.map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

function isBroken(page: string, link: string): boolean {
	const [path, anchor] = link.split('#');
	const target = path === '' ? page : join(dirname(page), path);
	if (!existsSync(join(ROOT, target))) return true;
	return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
}

/** The sample of this name in a page. */
function sample(page: string, name: string): Record<string, unknown> {
	const [, text] = new RegExp(`\`\`\`json ${name}\\n(.*?)\`\`\``, 's').exec(read(page)) ?? [];
	return JSON.parse(text) as Record<string, unknown>;
}

describe('The documentation', () => {
	it.each(pages)('%s has no broken local link', (page) => {
		const links = [...read(page).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(([, link, source]) => link ?? source);
		const local = links.filter((link) => !/^[a-z]+:/.test(link));
		expect(local.filter((link) => isBroken(page, link))).toEqual([]);
	});

	it('is checked: a link to a missing file or heading counts as broken', () => {
		expect(isBroken('README.md', 'docs/nowhere.md')).toBe(true);
		expect(isBroken('README.md', 'docs/trigger.md#nowhere')).toBe(true);
	});
});

/** The cells of the table with this first heading. */
function tableOf(page: string, heading: string): string[][] {
	const rows = read(page)
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()));
	const start = rows.findIndex(([, first]) => first === heading);
	const end = rows.findIndex((row, index) => index > start && row.length === 1);
	return rows.slice(start + 2, end).map((row) => row.slice(1, -1));
}

describe('The page on compatibility', () => {
	const { jobs } = parse(read('.github/workflows/ci.yml'));

	it('names exactly the versions of n8n that the tests start', () => {
		expect(tableOf('docs/compatibility.md', 'n8n').map(([version]) => version)).toEqual(N8N_VERSIONS);
	});

	it('says how often they are tested, as the GitHub workflows do', () => {
		const runs = ({ steps }: { steps: Array<{ run?: string }> }) => steps.flatMap(({ run }) => run ?? []);
		const { on, jobs: nightly } = parse(read('.github/workflows/nightly.yml'));
		expect(runs(jobs.e2e)).toContain('npm run e2e');
		expect(runs(nightly.queue)).toContain('npm run e2e -- --queue');
		expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
		for (const [, oneProcess, queue] of tableOf('docs/compatibility.md', 'n8n')) {
			expect([oneProcess, queue]).toEqual(['with every change', 'every night']);
		}
	});

	it('names exactly the versions of Node.js that the tests run on', () => {
		const named = tableOf('docs/compatibility.md', 'Node.js').map(([version]) => Number(version));
		expect(named).toEqual(jobs.test.strategy.matrix.node);
	});

	it('names the version of Node.js that the servers run on', () => {
		const [{ with: e2e }] = jobs.e2e.steps.filter(({ uses }: { uses?: string }) => uses?.includes('setup-node'));
		expect(read('docs/compatibility.md')).toContain(`These servers run on Node.js ${e2e['node-version']}.`);
	});
});

describe('The page on operations', () => {
	const firstCells = (heading: string) => tableOf('docs/operations.md', heading).flatMap(([cell]) => cell.split(', '));

	it('has a row for every filter', () => {
		const labels = filtersField.options?.map(({ name, ...field }) =>
			'displayName' in field ? field.displayName : name,
		);
		expect(firstCells('Filter').sort()).toEqual(labels?.sort());
	});

	it('has a row for every operation except List Clients, and the operations are sorted', () => {
		const labels = operations.map(({ option }) => option.name);
		expect(labels).toEqual([...labels].sort());
		expect(['List Clients', ...firstCells('Operation')].sort()).toEqual(labels);
	});
});

/** The keys of an object, also of nested ones. */
function keysWithin(value: object): unknown[] {
	return Object.entries(value).map(([key, part]) =>
		typeof part === 'object' ? [key, keysWithin(part as object)] : key,
	);
}

describe('A number in the documentation is the default of the field:', () => {
	const defaultOf = ({ description: { properties } }: INodeType, name: string): number => {
		const fields = properties.flatMap((field) => [field, ...((field.options ?? []) as INodeProperties[])]);
		return Number(fields.find((field) => field.name === name)?.default);
	};

	it.each([
		['docs/operations.md', '**Limit** (', new ClientOnboarding(), 'limit'],
		['docs/operations.md', 'pages at the same time, 1 to 20 (', new ClientOnboarding(), 'parallelRequests'],
		['docs/operations.md', 'before trying again (', new ClientOnboarding(), 'timeout'],
		['docs/scaling.md', '**Parallel Requests** in the node (', new ClientOnboarding(), 'parallelRequests'],
		['docs/trigger.md', 'Maximum number of events per poll (', new ClientOnboardingTrigger(), 'maxEvents'],
	])('%s, %s', (page, before, node, name) => {
		expect(read(page)).toContain(`${before}${defaultOf(node, name).toLocaleString('en')})`);
	});
});

describe('A sample in the documentation has the fields of the output in their order:', () => {
	let service: Service;
	beforeAll(async () => {
		service = await startService({ clients: 60 });
	});

	const run = async (parameters: object) => (await service.engine.run({ parameters: { ...parameters } })).json[0];

	it('a client', async () => {
		const client = await run({ operation: 'list' });
		expect(Object.keys(sample('docs/operations.md', 'client'))).toEqual(Object.keys(client));
	});

	it('counts that add up to the total', async () => {
		const documented = sample('docs/operations.md', 'count');
		expect(keysWithin(documented)).toEqual(keysWithin(await run({ operation: 'count' })));
		const { total, ...parts } = documented as { total: number };
		for (const part of Object.values(parts) as Array<Record<string, number>>)
			expect(Object.values(part).reduce((sum, number) => sum + number)).toBe(total);
	});

	it('a group', async () => {
		const documented = sample('docs/operations.md', 'group');
		expect(keysWithin(documented)).toEqual(keysWithin(await run({ operation: 'listGroups' })));
		const statuses = documented.by_request_status as Record<string, number>;
		expect(Object.values(statuses).reduce((sum, number) => sum + number)).toBe(documented.clients);
	});

	it('a row of a report', async () => {
		const report = await run({ operation: 'count', groupBy: ['group', 'age'] });
		expect(Object.keys(sample('docs/operations.md', 'report'))).toEqual(Object.keys(report));
	});

	it('an event', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['statusReached'], statusBecomes: ['declined'] });
		await poller.activate();
		const { clients } = service.app.environment('sandbox');
		const pending = [...clients.all()].find(({ request_status: status }) => status === 'Pending');
		clients.setStatus(pending!.reference_id, 'declined');
		const [event] = await poller.poll();
		const documented = sample('docs/trigger.md', 'event');
		expect(Object.keys(documented)).toEqual(Object.keys(event));
		const fixed = ['event', 'request_status', 'previous_request_status'] as const;
		for (const field of fixed) expect(documented[field]).toBe(event[field]);
		expect(String(documented.event_id)).toMatch(new RegExp(`^[0-9a-f]{${String(event.event_id).length}}$`));
	});
});
