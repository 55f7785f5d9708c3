import { expect } from '@jest/globals';
import { TABLES } from '../../tools/n8n/examples.mts';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise = 'lists clients that are missing in the CRM, differ there, or are only there';

export async function play(stage: Stage): Promise<void> {
	const [missing, different] = [await stage.add(ada), await stage.add({ ...bob, request_status: 'Declined' })];
	const same = await stage.add({ ...ada, client_name: 'Eve', request_status: 'Completed' });
	const dataTable = await stage.n8n.createDataTable('CRM that is compared', TABLES['compare-with-the-crm'].columns);
	const workflow = await stage.create('compare-with-the-crm', {}, { dataTable });
	const compare = async () => await stage.n8n.run(workflow, 'Every day at 7');

	await compare();
	expect(await stage.messages()).toEqual(['3 missing in the CRM: Ada, Bob, Eve']);

	const row = ({ reference_id, client_name, email, request_status }: typeof missing) => ({
		reference_id,
		client_name,
		email,
		request_status,
	});
	await stage.n8n.insertRows(dataTable, [
		row(same),
		{ ...row(different), request_status: 'Pending' },
		{ ...row(missing), reference_id: 'ONB-GONE', client_name: 'Zed' },
	]);
	await stage.service.control('DELETE', '/messages');
	await compare();
	expect(await stage.messages()).toEqual([
		'1 different in the CRM: Bob',
		'1 missing in the CRM: Ada',
		'1 only in the CRM: Zed',
	]);
}
