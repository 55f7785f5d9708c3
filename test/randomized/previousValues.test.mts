import { expect, it } from '@jest/globals';
import { byDepth } from '../support/depth.mts';
import { Poller } from '../support/poller.mts';
import { Random } from '../support/random.mts';
import { startService } from '../support/service.mts';

const CHANGES = byDepth({ quick: 50, deep: 200, long: 1_000 });
const FIELDS = ['client_name', 'email', 'group_name'];

it(`An updated client has the right previous values in ${CHANGES} random changes, also after restarts`, async () => {
	const service = await startService({ clients: 12 });
	const { clients } = service.app.environment('sandbox');
	const poller = new Poller(service.engine, {
		triggerOn: ['clientUpdated', 'requestStatusChanged'],
		watchedFields: FIELDS,
		options: { includePrevious: true },
	});
	expect(await poller.activate()).toEqual([]);
	const random = new Random(39);
	for (let change = 0; change < CHANGES; change++) {
		const id = random.one(clients.ids());
		const before = { ...clients.get(id) } as Record<string, unknown>;
		const expected = (event: string, fields: string[]) => ({
			event,
			reference_id: id,
			previous: Object.fromEntries(fields.map((field) => [field, before[field]])),
		});
		const changed = random.some(FIELDS, 0.5);
		clients.update(id, Object.fromEntries(changed.map((field) => [field, `${field} ${change}`])));
		const hasMoved = random.chance(0.5);
		if (hasMoved) clients.setStatus(id, before.request_status === 'Pending' ? 'declined' : 'pending');
		const events = random.chance(0.2) ? await poller.restart() : await poller.poll();
		expect(events.map(({ event, reference_id, previous }) => ({ event, reference_id, previous }))).toEqual([
			...(hasMoved ? [expected('requestStatusChanged', ['request_status'])] : []),
			...(changed.length > 0 ? [expected('clientUpdated', changed)] : []),
		]);
	}
});
