import { expect } from '@jest/globals';
import { TABLES } from '../../tools/n8n/examples.mts';
import { ada, bob, type Stage } from '../support/stage.mts';
import { until } from '../support/until.mts';

export const promise = 'keeps one row with the latest status for each client, and names a client whose row is refused';

const EXAMPLE = 'clients-to-a-crm';
const { columns } = TABLES[EXAMPLE];

export async function play(stage: Stage): Promise<void> {
	const client = await stage.add({ ...ada, request_status: 'Pending' });
	const dataTable = await stage.n8n.createDataTable('CRM that is kept in step', columns);
	const statuses = async () => {
		const rows = await stage.n8n.rowsOf(dataTable);
		return rows.map(({ client_name: name, email, request_status: status }) => [name, email, status].join(' ')).sort();
	};
	await stage.createActive(EXAMPLE, {}, { dataTable });
	await until(async () => (await statuses()).length > 0);
	expect(await statuses()).toEqual(['Ada ada@example.com Pending']);
	await stage.change(client, { request_status: 'Completed', email: 'ada@new.example.com' });
	await stage.add({ ...bob, request_status: 'Requested' });
	await until(async () => (await statuses()).length > 1);
	expect(await statuses()).toEqual(['Ada ada@new.example.com Completed', 'Bob bob@example.com Requested']);
	await stage.change(client, { client_name: '1' });
	await playWithARefusedRow(stage);
}

/** A column for numbers refuses the name Bob. */
async function playWithARefusedRow(stage: Stage): Promise<void> {
	const { clients } = stage.service.app.environment('sandbox');
	for (let number = 3; number <= 10; number++) clients.add({ ...bob, client_name: String(number) });
	const dataTable = await stage.n8n.createDataTable('CRM with a wrong column', columns, ['client_name']);
	const workflow = await stage.createActive(EXAMPLE, {}, { dataTable });
	const failed = await stage.failedOnce(workflow);
	expect(failed.map(({ error }) => error?.message)).toEqual([
		expect.stringMatching(
			/^1 not written\. Bob(: Validation error .*)?\. Does the table have all columns in the note, as text columns\? The note also says how to write the missing rows\.$/,
		),
	]);
	const names = (await stage.n8n.rowsOf(dataTable)).map(({ client_name: name }) => Number(name));
	expect(names.sort((a, b) => a - b)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
}
