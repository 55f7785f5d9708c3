import { describe, expect, it } from '@jest/globals';
import { operations } from '../../../nodes/ClientOnboarding/operations';
import { previews } from '../../../nodes/ClientOnboarding/previews';
import { Poller } from '../../support/poller.mts';
import { startService } from '../../support/service.mts';

/** Field names and types in the format of a preview. */
function describeItem(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return { type: typeof value };
	const properties = Object.entries(value).map(([name, inner]) => [name, describeItem(inner)] as const);
	return { type: 'object', properties: Object.fromEntries(properties), version: 1 };
}

describe('The preview in the editor before the first run', () => {
	it.each(operations.map(({ option }) => option.value))(
		'has the fields of the output of the operation %s',
		async (operation) => {
			const service = await startService({ clients: 20 });
			const [referenceId] = service.ids();
			const { json } = await service.engine.run({ parameters: { operation, referenceId } });
			expect(describeItem(json[0])).toEqual(previews[`v1.0.0/client/${operation}.json`]);
		},
	);

	it('has the fields of the output of the trigger', async () => {
		const service = await startService({ clients: 20 });
		const [event] = await new Poller(service.engine, { triggerOn: ['requestStatusChanged'] }).runByHand();
		expect(describeItem(event)).toEqual(previews['v1.0.0.json']);
	});
});
