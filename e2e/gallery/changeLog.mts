import { expect } from '@jest/globals';
import { TABLES } from '../../tools/n8n/examples.mts';
import { ada, type Stage } from '../support/stage.mts';
import { until } from '../support/until.mts';

export const promise = 'adds one row for each changed field, and none again for an event that n8n repeats';

const TRIGGER = 'Client Onboarding Trigger';

export async function play(stage: Stage): Promise<void> {
	const client = await stage.add({ ...ada, request_status: 'Pending' });
	const dataTable = await stage.n8n.createDataTable('Changes of the gallery', TABLES['change-log'].columns);
	const workflow = await stage.createActive('change-log', {}, { dataTable });
	stage.service.app
		.environment('sandbox')
		.clients.update(client.reference_id, { email: 'new@example.com', group_name: '', request_status: 'Declined' });
	const rows = async () =>
		(await stage.n8n.rowsOf(dataTable)).map(({ client: name, field, before, after }) => [name, field, before, after]);
	const expected = [
		['Ada', 'request_status', 'Pending', 'Declined'],
		['Ada', 'email', 'ada@example.com', 'new@example.com'],
		['Ada', 'group_name', 'Retail', ''],
	].sort();
	await until(async () => (await rows()).length >= 3);
	expect((await rows()).sort()).toEqual(expected);

	const emitted = (await stage.n8n.runs(workflow.id)).flatMap((run) => run.items(TRIGGER));
	const again = await stage.n8n.run(await stage.n8n.pin(workflow.id, TRIGGER, emitted), TRIGGER);
	expect(again.error).toBeUndefined();
	expect((await rows()).sort()).toEqual(expected);
}
