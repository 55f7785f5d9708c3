import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Client } from '../../../../sandbox/data/clients.mts';
import { SETTINGS, SETTING_NAMES, type SettingName, type Behavior } from '../../../../sandbox/endpoints/behavior.mts';
import { pauses } from '../../../support/haste.mts';
import { idsOf, startService } from '../../../support/service.mts';

const CLIENTS = 230;
const MAX_REQUESTS = 400;
const WARNING = /^The (service reports|list kept changing) .* clients/;
const PAGE = join(__dirname, '../../../../docs/reliability.md');
const PAGE_SIZES = { capped: { maxPageLimit: 25, behavior: { overLimit: 'capped' } }, any: {} } as const;

interface Operation {
	name: string;
	parameters: (clients: Client[]) => INodeParameters;
	isRight: (items: IDataObject[], clients: Client[]) => boolean;
}

const count = (clients: Client[], field: keyof Client, value: string) =>
	clients.filter((client) => client[field].toLowerCase() === value).length;

const OPERATIONS: Operation[] = [
	{
		name: 'List Clients',
		parameters: () => ({ operation: 'list', returnAll: true }),
		isRight: (items, clients) => idsOf(items).join() === idsOf(clients).join(),
	},
	{
		name: 'Find Client',
		parameters: (clients) => ({ operation: 'find', findBy: 'referenceId', referenceId: clients.at(-1)!.reference_id }),
		isRight: (items, clients) => idsOf(items).join() === clients.at(-1)!.reference_id,
	},
	{
		name: 'Count Clients',
		parameters: () => ({ operation: 'count' }),
		isRight: ([{ total, by_request_status: byStatus, by_client_type: byType }], clients) =>
			total === clients.length &&
			Object.entries(byStatus as object).every(
				([status, number]) => count(clients, 'request_status', status) === number,
			) &&
			Object.entries(byType as object).every(([type, number]) => count(clients, 'client_type', type) === number),
	},
	{
		name: 'List Groups',
		parameters: () => ({ operation: 'listGroups' }),
		isRight: (items, clients) =>
			items.every(
				({ group_token: token, clients: number }) => count(clients, 'group_token', String(token)) === number,
			) && items.reduce((sum, { clients: number }) => sum + Number(number), 0) === clients.length,
	},
];

const VIOLATIONS = SETTING_NAMES.flatMap((setting) =>
	SETTINGS[setting].violations.map((value) => ({ setting, value })),
);
/** By violation and operation. */
const outcomes = new Map<string, Set<string>>();

async function run(setting: SettingName, value: string, operation: Operation, pages: keyof typeof PAGE_SIZES) {
	const size = PAGE_SIZES[pages];
	const service = await startService({
		clients: CLIENTS,
		...size,
		behavior: { ...('behavior' in size && size.behavior), [setting]: value } as Partial<Behavior>,
	});
	const clients = [...service.app.environment('sandbox').served()];
	const parameters = { ...operation.parameters(clients), options: { timeout: 1 } };
	const { json, error, hints } = await service.engine.run({ parameters });
	expect(error).toBeUndefined();
	expect(service.requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
	const isWarned = hints.some((hint) => WARNING.test(hint));
	return isWarned ? 'warning' : operation.isRight(json, clients) ? 'right' : 'wrong';
}

describe('A service that contradicts its specification', () => {
	beforeAll(() => {
		pauses.divisor = 100;
	});

	it.each(VIOLATIONS)('leads to the right result or a warning when $setting is $value', async ({ setting, value }) => {
		for (const operation of OPERATIONS) {
			const results = [await run(setting, value, operation, 'capped'), await run(setting, value, operation, 'any')];
			expect({ operation: operation.name, results }).not.toEqual({
				operation: operation.name,
				results: expect.arrayContaining(['wrong']),
			});
			// Another order on every request: which clients are missed depends on which request is first.
			const possible = value === 'shuffled' ? ['right', 'warning'] : results;
			outcomes.set(`${setting} ${value} ${operation.name}`, new Set(possible));
		}
	});

	/** UPDATE_DOCS=1 writes the table. */
	it('leads to the results that docs/reliability.md lists', () => {
		const rows = VIOLATIONS.map(({ setting, value }) => [
			`\`${setting}\` \`${value}\``,
			...OPERATIONS.map(({ name }) => [...(outcomes.get(`${setting} ${value} ${name}`) ?? [])].sort().join(' or ')),
		]);
		const table = formatTable([['Violation', ...OPERATIONS.map(({ name }) => name)], ...rows]);
		const page = readFileSync(PAGE, 'utf8');
		const updated = page.replace(/(?<=## Violations\n\n[^|]*)\|(.|\n)*?\n(?=\n)/, table);
		if (process.env.UPDATE_DOCS) writeFileSync(PAGE, updated);
		expect(page).toBe(updated);
	});
});

/** As oxfmt formats it. */
function formatTable([head, ...rows]: string[][]): string {
	const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
	const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |\n`;
	return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}
