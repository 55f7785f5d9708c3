import { expect } from '@jest/globals';
import { TABLES } from '../../tools/n8n/examples.mts';
import { ada, type Stage } from '../support/stage.mts';
import { until } from '../support/until.mts';

export const promise =
	'adds one row for each changed field, none again for an event that n8n repeats, and names a change that is refused';

const EXAMPLE = 'change-log';
const { columns } = TABLES[EXAMPLE];
const TRIGGER = 'Client Onboarding Trigger';

export async function play(stage: Stage): Promise<void> {
	const client = await stage.add({ ...ada, request_status: 'Pending' });
	const dataTable = await stage.n8n.createDataTable('Changes of the gallery', columns);
	const workflow = await stage.createActive(EXAMPLE, {}, { dataTable });
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
	await playWithARefusedRow(stage);
}

/** A column for numbers refuses the group Retail. */
async function playWithARefusedRow(stage: Stage): Promise<void> {
	const { clients } = stage.service.app.environment('sandbox');
	const groups = ['1', '2', 'Retail', '4', '5', '6', '7', '8', '9', '10'];
	const changing = groups.map((group) => ({
		group,
		client: clients.add({ client_name: `To ${group}`, group_name: '0' }),
	}));
	const dataTable = await stage.n8n.createDataTable('Changes in a wrong column', columns, ['after']);
	const workflow = await stage.createActive(EXAMPLE, {}, { dataTable });
	for (const { group, client } of changing) clients.update(client.reference_id, { group_name: group });
	const failed = await stage.failedOnce(workflow);
	expect(failed.map(({ error }) => error?.message)).toEqual([
		expect.stringMatching(
			/^1 not written\. To Retail \(group_name\)(: Validation error .*)?\. Does the table have all columns in the note, as text columns\? The note also says how to write the missing rows\.$/,
		),
	]);
	const written = (await stage.n8n.rowsOf(dataTable)).map(({ after }) => Number(after));
	expect(written.sort((a, b) => a - b)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10]);
}
