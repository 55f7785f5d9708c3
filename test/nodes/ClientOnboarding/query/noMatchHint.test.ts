import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import type { Client } from '../../../../sandbox/data/client.mts';
import { startService } from '../../../support/service.mts';

describe('If no client matches, the hint', () => {
	const byGroup = (value: string) => ({ groupName: { __rl: true, mode: 'name', value } });
	const PART = 'To search by part of an email address, set the option "Text Match" to "Contains".';

	it.each<[string, INodeParameters, string]>([
		[
			'names groups',
			byGroup('wholesal'),
			'None of the returned clients has the group "wholesal". Existing values: Wholesale, Retail.',
		],
		[
			'names the option for parts of an email',
			{ clientEmail: 'ad@example.com' },
			`None of the returned clients has the email address "ad@example.com". ${PART}`,
		],
		['rejects text without @', { clientEmail: 'ada' }, `"ada" is not a complete email address. ${PART}`],
		[
			'says that the dates exclude each other',
			{ createdWithinDays: 5, olderThanDays: 7 },
			'No creation date can match all date filters.',
		],
		[
			'names the client statuses',
			{ clientStatus: 'asleep' },
			'None of the returned clients has the client status "asleep". Existing values: active.',
		],
		[
			'names the filter for request statuses',
			{ clientStatus: 'Pending' },
			'"Pending" is a request status: use the filter "Request Status".',
		],
		['gives no reason for a client status that exists', { clientStatus: 'Active', createdBefore: '1990-01-01' }, ''],
		['gives no reason for an email that exists', { clientEmail: 'ada@example.com', createdBefore: '1990-01-01' }, ''],
		['gives no reason for a group that exists', { ...byGroup('Wholesale'), createdBefore: '1990-01-01' }, ''],
		['gives no reason it does not know', { createdBefore: '1990-01-01' }, ''],
	])('%s', async (_, filters, reason) => {
		const service = await startService({ clients: 0 });
		const { clients } = service.app.environment('sandbox');
		for (const group_name of ['Wholesale', 'Retail']) clients.add({ group_name, email: 'ada@example.com' });
		const { json, hints } = await service.engine.run({ parameters: { filters } });
		expect(json).toEqual([]);
		expect(hints).toEqual([`No client matches the filters. ${reason}`.trim()]);
	});

	it('gives no reason if no client has the field', async () => {
		const service = await startService({
			clients: 2,
			onAnswer: (_, { body }) => {
				const { results = [] } = (body as { data?: { results?: Array<Partial<Client>> } }).data ?? {};
				for (const client of results) delete client.client_status;
			},
		});
		const { hints } = await service.engine.run({ parameters: { filters: { clientStatus: 'asleep' } } });
		expect(hints).toEqual(['No client matches the filters.']);
	});

	it('names five values at most, similar ones first', async () => {
		const service = await startService({ clients: 0 });
		const { clients } = service.app.environment('sandbox');
		for (let group = 1; group <= 6; group++) clients.add({ group_name: `G${group}` });
		const { hints } = await service.engine.run({ parameters: { filters: byGroup('G66') } });
		expect(hints[0]).toContain('Existing values: G6, G1, G2, G3, G4 and 1 more.');
	});

	it('says that there are no clients if there is no filter', async () => {
		const service = await startService({ clients: 0 });
		for (const operation of ['list', 'listGroups']) {
			expect((await service.engine.run({ parameters: { operation } })).hints).toEqual([
				'The service lists no clients.',
			]);
		}
	});

	it('names the email address or the ID that Find Client did not find', async () => {
		const service = await startService({ clients: 3 });
		const find = async (parameters: INodeParameters) =>
			(await service.engine.run({ parameters: { operation: 'find', ...parameters } })).hints;
		expect(await find({ findBy: 'email', email: 'nobody@example.com' })).toEqual([
			'No client has the email address "nobody@example.com".',
		]);
		expect(await find({ findBy: 'referenceId', referenceId: 'a@example.com' })).toEqual([
			'No client has the reference ID "a@example.com". To search by email address, set "Find By" to "Email".',
		]);
	});
});
