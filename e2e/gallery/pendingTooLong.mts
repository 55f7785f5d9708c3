import { expect } from '@jest/globals';
import { ada, bob, type Stage } from '../support/stage.mts';
import { until } from '../support/until.mts';

export const promise =
	'sends reminders of clients that wait too long, escalates those that still wait, and names the client of an escalation that is refused';

const TEN_SECONDS_DAYS = 10 / (24 * 60 * 60);

export async function play(stage: Stage): Promise<void> {
	const workflow = await stage.createActive('pending-too-long', {
		'Client Onboarding Trigger': { stalledAfterDays: TEN_SECONDS_DAYS },
		Wait: { amount: 15, unit: 'seconds' },
	});
	const waiting = await stage.add({ ...ada, request_status: 'Pending' });
	const moving = await stage.add({ ...bob, request_status: 'Requested' });
	// The test inbox refuses this reminder because it is too long.
	const { clients } = stage.service.app.environment('sandbox');
	clients.add({ client_name: 'Eve', request_status: 'Pending', email: `${'e'.repeat(4_000)}@example.com` });
	// It refuses the escalation of this one, too.
	const name = 'f'.repeat(4_000);
	clients.add({ client_name: name, request_status: 'Pending' });
	const reminders = await stage.messagesOnce(2);
	await stage.change(moving, { request_status: 'Pending' });
	expect(reminders).toEqual([
		'Please look after Ada: pending for 0 days. Email: ada@example.com',
		'Please look after Bob: requested for 0 days. Email: bob@example.com',
	]);
	// A client that has moved on to another of the statuses gets a reminder of its own.
	await stage.messagesOnce(6);
	// All waiting executions have gone on by then.
	await until(async () => (await stage.n8n.runs(workflow.id)).every(({ status }) => status !== 'waiting'));
	const failed = await stage.failedOnce(workflow);
	expect(failed.map(({ error }) => error?.message.split(': ')[0])).toEqual([`1 not escalated. ${name}`]);
	const later = (await stage.messages()).filter((text) => !reminders.includes(text));
	expect(later).toEqual([
		`Ada is still pending after the reminder. Reference: ${waiting.reference_id}`,
		`Bob is still pending after the reminder. Reference: ${moving.reference_id}`,
		expect.stringMatching(/^Eve is still pending after the reminder\. .*\. The reminder was not sent\.$/),
		'Please look after Bob: pending for 0 days. Email: bob@example.com',
	]);
}
