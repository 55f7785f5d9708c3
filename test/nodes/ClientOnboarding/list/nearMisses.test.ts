import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { startService } from '../../../support/service.mts';

describe('Where no client matches, a hint', () => {
	const byGroup = (value: string) => ({ groupName: { __rl: true, mode: 'name', value } });

	it.each<[string, INodeParameters, RegExp[]]>([
		['names the group that is close', byGroup('wholesal'), [/no group is called "wholesal"; "Wholesale" is close/]],
		['names the group that was mistyped', byGroup('Wohlesale'), [/"Wholesale" is close/]],
		['names the group it is a part of', byGroup('key acc'), [/"Key Accounts North" is close/]],
		['sends to the list', byGroup('Somewhere else'), [/no group is called "Somewhere else"; choose one from the list/]],
		['says what an e-mail address has', { clientEmail: 'ada' }, [/an e-mail address has an @, and "ada" has none/]],
		[
			'says who is looked for in vain',
			{ clientEmail: 'ad@example.com' },
			[/none has the e-mail address "ad@example\.com"\. To search by a part/],
		],
		['names the group with several letters wrong', byGroup('Key Acounts Nroth'), [/"Key Accounts North" is close/]],
		[
			'names two fields that exclude each other',
			{ createdWithinDays: 5, olderThanDays: 7 },
			[/none can match both "Created in the Last \(Days\)" and "Older Than \(Days\)"/],
		],
		[
			'names the statuses there are',
			{ clientStatus: 'asleep' },
			[/none has the client status "asleep"; they have "active"/],
		],
		[
			'sends to the other status',
			{ clientStatus: 'Pending' },
			[/none has the client status "Pending"\. Use the filter "Request Status" for that\./],
		],
		['says nothing of a status that is there', { clientStatus: 'Active', createdBefore: '1990-01-01' }, []],
		['says nothing of statuses where it may not have seen all', { clientStatus: 'asleep', clientType: 'company' }, []],
		['says nothing of an address that is there', { clientEmail: 'ada@example.com', createdBefore: '1990-01-01' }, []],
		['says nothing about what it does not know', { createdBefore: '1990-01-01' }, []],
		['says nothing of groups where it may not have seen all', { ...byGroup('Wholesal'), clientType: 'company' }, []],
		['says nothing of a group that has clients', { ...byGroup('Wholesale'), createdBefore: '1990-01-01' }, []],
	])('%s', async (_, filters, hints) => {
		const service = await startService({ clients: 0 });
		const { clients } = service.app.environment('sandbox');
		for (const group_name of ['Wholesale', 'Key Accounts North']) clients.add({ group_name, email: 'ada@example.com' });
		const result = await service.engine.run({ parameters: { filters } });
		expect(result.json).toEqual([]);
		expect(result.hints).toHaveLength(hints.length);
		hints.forEach((hint, place) => expect(result.hints[place]).toMatch(hint));
	});

	it('names no status where there is none', async () => {
		const service = await startService({ clients: 0 });
		const { hints } = await service.engine.run({ parameters: { filters: { clientStatus: 'asleep' } } });
		expect(hints).toEqual(['No client matched: none has the client status "asleep".']);
	});

	it('names no option that is not there', async () => {
		const service = await startService({ clients: 3 });
		const find = async (email: string) =>
			(await service.engine.run({ parameters: { operation: 'find', findBy: 'email', email } })).hints;
		expect(await find('ada')).toEqual(['No client matched: an e-mail address has an @, and "ada" has none.']);
		expect(await find('nobody@example.com')).toEqual(['No client has the e-mail address "nobody@example.com".']);
	});

	it('is left out where parts of texts are compared', async () => {
		const service = await startService({ clients: 3 });
		const parameters = { filters: { clientEmail: 'nobody' }, options: { textMatch: 'part' } };
		expect((await service.engine.run({ parameters })).hints).toEqual([]);
	});
});
