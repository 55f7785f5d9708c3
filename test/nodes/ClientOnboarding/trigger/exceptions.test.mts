import { beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import type { Clients } from '../../../../sandbox/data/clients.mts';
import { Poller } from '../../../support/poller.mts';
import { startService, type Service } from '../../../support/service.mts';

let service: Service;
let clients: Clients;

beforeEach(async () => {
	service = await startService({ clients: 12 });
	({ clients } = service.app.environment('sandbox'));
});

async function activated(parameters: INodeParameters): Promise<Poller> {
	const poller = new Poller(service.engine, parameters);
	expect(await poller.activate()).toEqual([]);
	return poller;
}

function withStatus(status: string): string {
	return clients.setStatus(clients.ids()[0], status).reference_id;
}

describe('The exceptions in docs/trigger.md', () => {
	it('apply to two changes between two polls: nothing is emitted if the client is as before or was never seen', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated', 'clientRemoved', 'requestStatusChanged'] });
		clients.setStatus(id, 'declined');
		clients.setStatus(id, 'pending');
		clients.remove(clients.add().reference_id);
		expect(await poller.poll()).toEqual([]);
	});

	it('apply to a second change of a client that waits because of Max Events: nothing is emitted if it is as before', async () => {
		const [first, second] = clients.ids();
		for (const id of [first, second]) clients.setStatus(id, 'pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'], options: { maxEvents: 1 } });
		for (const id of [first, second]) clients.setStatus(id, 'declined');
		const [{ reference_id: emitted }] = await poller.poll();
		clients.setStatus(emitted === first ? second : first, 'pending');
		expect(await poller.poll()).toEqual([]);
	});

	it('apply when n8n is killed between saving and starting an execution: the events of that poll are lost', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] });
		clients.add();
		expect(await poller.poll()).toHaveLength(1);
		// The events of that poll have not reached an execution.
		expect(await poller.restart()).toEqual([]);
	});

	it('apply when n8n goes back to an older state: events are emitted again with the same event_id', async () => {
		const poller = await activated({ triggerOn: ['requestStatusChanged'] });
		const { saved } = poller;
		clients.setStatus(withStatus('accepted'), 'declined');
		const emitted = await poller.poll();
		expect(emitted).toHaveLength(1);
		const again = await poller.restart(saved);
		expect(again.map(({ event_id }) => event_id)).toEqual(emitted.map(({ event_id }) => event_id));
	});

	it.each([
		['restart', 'automatic', []],
		['restart', 'always', ['requestStatusChanged']],
		['reload', 'automatic', []],
		['reload', 'always', ['requestStatusChanged']],
	] as const)(
		'apply to a %s within an hour after a change without an event (%s): %j is emitted',
		async (what, quietChanges, expected) => {
			const poller = await activated({ triggerOn: ['requestStatusChanged'], options: { quietChanges } });
			// The first change of this kind is saved at once.
			clients.add();
			await poller.poll();
			const { reference_id: id } = clients.add();
			await poller.poll();
			clients.setStatus(id, 'declined');
			expect((await poller[what]()).map(({ event }) => event)).toEqual(expected);
		},
	);

	it('apply to a new client that enters a stalled status around a restart: its days count from its creation', async () => {
		const stalled = { triggerOn: ['clientStalled'], stalledStatuses: ['pending'], stalledAfterDays: 1 };
		const poller = await activated({ ...stalled, options: { quietChanges: 'always' } });
		const created_at = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000).toISOString();
		const { reference_id: id } = clients.add({ request_status: 'Accepted', created_at });
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(id, 'pending');
		expect(await poller.restart()).toMatchObject([{ event: 'clientStalled', reference_id: id }]);
	});

	it('apply to a renamed node: it takes a new baseline', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] });
		clients.add();
		expect(await poller.rename('Renamed')).toEqual([]);
		expect(await poller.poll()).toEqual([]);
	});

	it('apply to a renamed node that emits existing clients: it emits them again', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
		expect(await poller.activate()).toHaveLength(12);
		expect(await poller.poll()).toEqual([]);
		expect(await poller.rename('Renamed')).toHaveLength(12);
	});

	it('apply to a trigger that is reset: it does not emit what happened before', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] });
		clients.add();
		poller.nodeId = 'another-node';
		expect(await poller.reload()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([{ message: expect.stringContaining('The trigger was reset') }]);
		clients.add();
		expect(await poller.poll()).toHaveLength(1);
	});
});
