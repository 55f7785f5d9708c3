import { expect } from '@jest/globals';
import { TABLES } from '../../tools/n8n/examples.mts';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise =
	'processes each event once if one of five fails, n8n runs it again, or someone repeats the execution';

const TRIGGER = 'Client Onboarding Trigger';
/** The test inbox refuses longer messages. */
const TOO_LONG = 'e'.repeat(4_000);
const messageAbout = (name: string) =>
	`${name} (Retail) has completed onboarding. Email: ${name.toLowerCase()}@example.com`;

export async function play(stage: Stage): Promise<void> {
	const example = 'completed-without-duplicates';
	const dataTable = await stage.n8n.createDataTable('Events of the gallery', TABLES[example].columns);
	const workflow = await stage.createActive(example, { Chat: { options: {} } }, { dataTable });
	const names = ['Eve', 'Ada', 'Bob', 'Cid', 'Dan'];
	const { clients } = stage.service.app.environment('sandbox');
	for (const name of names) {
		const email = name === 'Eve' ? TOO_LONG : `${name.toLowerCase()}@example.com`;
		clients.add({ ...(name === 'Ada' ? ada : bob), client_name: name, email, request_status: 'Completed' });
	}
	const good = ['Ada', 'Bob', 'Cid', 'Dan'].map(messageAbout);
	expect(await stage.messagesOnce(4)).toEqual(good);
	const failed = await stage.failedOnce(workflow);
	expect(failed.map(({ error }) => error?.message)).toEqual([
		expect.stringMatching(/^1 not sent\. Eve: 400 - .*limited to 4,000 characters/),
	]);

	const [{ items }] = failed;
	const emitted = items(TRIGGER);
	expect(emitted).toHaveLength(5);
	const repeated = emitted.map((event) => ({ ...event, email: String(event.email).slice(0, 15) }));
	const again = await stage.n8n.run(await stage.n8n.pin(workflow.id, TRIGGER, repeated), TRIGGER);
	expect(again.error).toBeUndefined();
	expect(await stage.messages()).toEqual([...good, expect.stringMatching(/^Eve \(Retail\) has completed/)]);
	expect(await stage.n8n.rowsOf(dataTable)).toHaveLength(5);
}
