import { expect } from '@jest/globals';
import { TABLES } from '../../tools/n8n/examples.mts';
import { ada, bob, type Stage } from '../support/stage.mts';
import { until } from '../support/until.mts';

export const promise = 'keeps one row with the latest status for each client';

export async function play(stage: Stage): Promise<void> {
	const client = await stage.add({ ...ada, request_status: 'Pending' });
	const dataTable = await stage.n8n.createDataTable('CRM that is kept in step', TABLES['clients-to-a-crm'].columns);
	const statuses = async () => {
		const rows = await stage.n8n.rowsOf(dataTable);
		return rows.map(({ client_name: name, email, request_status: status }) => [name, email, status].join(' ')).sort();
	};
	await stage.createActive('clients-to-a-crm', {}, { dataTable });
	await until(async () => (await statuses()).length > 0);
	expect(await statuses()).toEqual(['Ada ada@example.com Pending']);
	await stage.change(client, { request_status: 'Completed', email: 'ada@new.example.com' });
	await stage.add({ ...bob, request_status: 'Requested' });
	await until(async () => (await statuses()).length > 1);
	expect(await statuses()).toEqual(['Ada ada@new.example.com Completed', 'Bob bob@example.com Requested']);
}
