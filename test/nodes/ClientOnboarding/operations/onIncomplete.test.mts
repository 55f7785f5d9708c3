import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { startService } from '../../../support/service.mts';

const MESSAGE = 'The service reports 267 clients but returned 230, also on a second read. Some may be missing.';
const OPERATIONS: INodeParameters[] = [
	{ operation: 'list', returnAll: true },
	{ operation: 'find', findBy: 'referenceId', referenceId: 'NO-CLIENT' },
	{ operation: 'count' },
	{ operation: 'listGroups' },
];

/** Reports 37 clients more than there are. */
const start = async () => await startService({ clients: 230, behavior: { totals: 'too-high' } });

describe.each(OPERATIONS)('A list that may be incomplete, read by $operation,', (parameters) => {
	it('stops the workflow with both numbers when onIncomplete is fail', async () => {
		const { json, error } = await (
			await start()
		).engine.run({
			parameters: { ...parameters, options: { onIncomplete: 'fail' } },
		});
		expect(json).toEqual([]);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: MESSAGE,
			description: expect.stringContaining('"If List May Be Incomplete" is set to "Stop"'),
			context: { itemIndex: 0 },
		});
	});

	it.each([{}, { onIncomplete: 'warn' }])('gives a warning with the options %j', async (options) => {
		const { error, hints } = await (await start()).engine.run({ parameters: { ...parameters, options } });
		expect(error).toBeUndefined();
		expect(hints).toEqual([MESSAGE]);
	});

	it('puts the warning into the output for an AI agent', async () => {
		const { json } = await (await start()).engine.run({ parameters, isTool: true });
		expect(json.at(-1)).toMatchObject({ warning: MESSAGE });
		expect(json.filter((item) => 'warning' in item)).toHaveLength(1);
		if (parameters.operation === 'find') expect(json).toEqual([{ warning: MESSAGE }]);
	});
});

describe('onIncomplete', () => {
	it('fails each input item on its own with Continue On Fail', async () => {
		const service = await start();
		const { json } = await service.engine.run({
			parameters: {
				operation: 'find',
				findBy: 'referenceId',
				referenceId: '={{ $json.id }}',
				options: { onIncomplete: 'fail' },
			},
			input: ['NO-CLIENT', ''].map((id) => ({ json: { id } })),
			continueOnFail: true,
		});
		expect(json).toEqual([
			{ error: expect.stringContaining('267 clients but returned 230') },
			{ error: '"Reference ID" is empty. Enter a value, or check its expression' },
		]);
	});

	it('refuses a value it does not know', async () => {
		const { error } = await (await start()).engine.run({ parameters: { options: { onIncomplete: 'explode' } } });
		expect(error?.message).toBe('"If List May Be Incomplete" cannot be "explode". Use one of: warn, fail');
	});
});
