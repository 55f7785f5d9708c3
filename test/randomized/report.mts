import { formatTable } from '../../tools/terminal/table.mts';
import type { Case } from './cases/cases.mts';
import type { Outcome } from './promises/outcome.mts';

interface Row {
	behaviors: Set<string>;
	runs: number;
	clients: number;
	requests: number;
	faults: number;
	broken: number;
}

const COLUMNS = {
	part: 'part',
	combinations: 'combinations',
	runs: 'runs',
	clients: 'clients read',
	requests: 'requests',
	faults: 'faults met',
	broken: 'broken promises',
};

/** The results of all cases so far. */
export class Report {
	readonly broken: Array<{ testCase: Case; texts: string[] }> = [];

	private readonly rows = new Map<string, Row>();

	add(testCase: Case, { broken, clients, requests, faults, culprit }: Outcome): void {
		const row = this.rows.get(testCase.part) ?? {
			behaviors: new Set(),
			runs: 0,
			clients: 0,
			requests: 0,
			faults: 0,
			broken: 0,
		};
		this.rows.set(testCase.part, row);
		row.behaviors.add(JSON.stringify(testCase.behavior));
		row.runs += testCase.count;
		row.clients += clients;
		row.requests += requests;
		row.faults += faults;
		row.broken += broken.length > 0 ? 1 : 0;
		if (broken.length > 0) this.broken.push({ testCase: { ...testCase, ...culprit }, texts: broken });
	}

	line(): string {
		const { runs, clients, faults } = this.sum();
		return `${format(runs)} runs · ${format(clients)} clients read · ${format(faults)} faults · ${format(this.broken.length)} broken promises`;
	}

	/** Strays are broken promises that belong to no single case. */
	table(strays: number): string[] {
		const rows = [...this.rows].map(([part, { behaviors, ...row }]) => ({
			part,
			combinations: behaviors.size,
			...row,
		}));
		const sum = this.sum();
		return formatTable(
			Object.entries(COLUMNS).map(([name, title]) => ({
				title,
				atMost: 30,
				read: (row) => (typeof row[name] === 'number' ? format(row[name]) : String(row[name])),
			})),
			[...rows, { part: 'all', ...sum, broken: sum.broken + strays }],
		);
	}

	private sum() {
		const rows = [...this.rows.values()];
		const add = (name: 'runs' | 'clients' | 'requests' | 'faults' | 'broken') =>
			rows.reduce((total, row) => total + row[name], 0);
		const combinations = new Set(rows.flatMap(({ behaviors }) => [...behaviors])).size;
		return {
			combinations,
			runs: add('runs'),
			clients: add('clients'),
			requests: add('requests'),
			faults: add('faults'),
			broken: add('broken'),
		};
	}
}

function format(number: number): string {
	return number.toLocaleString('en-US');
}
