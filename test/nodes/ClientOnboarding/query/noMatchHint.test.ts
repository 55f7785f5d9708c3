import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { parseFilters } from '../../../../nodes/ClientOnboarding/parameters/filtersAndOptions';
import { ParameterValue } from '../../../../nodes/ClientOnboarding/parameters/value';
import { explainNoMatch } from '../../../../nodes/ClientOnboarding/query/noMatchHint';

const CLIENTS = [
	{ group_name: 'Wholesale', email: 'ada@example.com', client_status: 'active' },
	{ group_name: ' Retail ', email: 'ada@example.com', client_status: 'Active' },
];

/** Why none of these clients matches. */
function explain(filters: IDataObject, returned: IDataObject[] = CLIENTS, textMatch = 'whole'): string {
	const options = new ParameterValue({ textMatch });
	return explainNoMatch(parseFilters(new ParameterValue(filters), options, 'UTC'), returned);
}

describe('If no client matches, the hint', () => {
	it.each<[string, IDataObject, string]>([
		[
			'names groups',
			{ groupName: 'wholesal' },
			'The service returned no client whose group is "wholesal". Existing values: Wholesale, Retail.',
		],
		[
			'says that no client has an email',
			{ clientEmail: 'ad@example.com' },
			'The service returned no client whose email address is "ad@example.com".',
		],
		[
			'rejects text without @',
			{ clientEmail: 'ada' },
			'"ada" is not a complete email address. To search by part of an email address, set the option "Text Match" to "Contains".',
		],
		[
			'rejects text without a name before the @',
			{ clientEmail: '@example.com' },
			'"@example.com" is not a complete email address. To search by part of an email address, set the option "Text Match" to "Contains".',
		],
		[
			'says that the values are those of clients that match another filter',
			{ groupName: 'wholesal', clientType: 'company' },
			'The service returned no client that matches the other filters and whose group is "wholesal". Clients that match the other filters have: Wholesale, Retail.',
		],
		[
			'says that the dates exclude each other',
			{ createdWithinDays: 5, olderThanDays: 7, groupName: 'x' },
			'No creation date can match all date filters.',
		],
		[
			'names the client statuses',
			{ clientStatus: 'asleep' },
			'The service returned no client whose client status is "asleep". Existing values: Active.',
		],
		[
			'names the filter for request statuses',
			{ clientStatus: 'Pending' },
			'"Pending" is a request status: use the filter "Request Status".',
		],
		['gives no reason for a client status that exists', { clientStatus: 'Active', createdBefore: '1990-01-01' }, ''],
		['gives no reason for an email that exists', { clientEmail: 'ada@example.com', createdBefore: '1990-01-01' }, ''],
		['gives no reason for a group that exists', { groupName: 'wholesale', createdBefore: '1990-01-01' }, ''],
		['gives no reason it does not know', { createdBefore: '1990-01-01' }, ''],
	])('%s', (_, filters, reason) => {
		expect(explain(filters)).toBe(`No client matches the filters. ${reason}`.trim());
	});

	it('says that there are no clients if there is no filter', () => {
		expect(explain({}, [])).toBe(
			'The service lists no clients. If there are any, check "Environment" in the credential.',
		);
	});

	it.each<[string, IDataObject, string]>([
		['a group', { groupName: 'x' }, 'whose group contains "x". Existing values: Wholesale, Retail.'],
		['an email', { clientEmail: 'x@y' }, 'whose email address contains "x@y".'],
		['an email, if its group exists', { groupName: 'tail', clientEmail: '@y' }, 'whose email address contains "@y".'],
	])('names a part of %s that no client has', (_, filters, reason) => {
		expect(explain(filters, CLIENTS, 'part')).toBe(
			`No client matches the filters. The service returned no client ${reason}`,
		);
	});

	it('names no values if no client has the field', () => {
		expect(explain({ clientStatus: 'asleep' }, [{}, { client_status: ' ' }])).toBe(
			'No client matches the filters. The service returned no client whose client status is "asleep".',
		);
	});

	it('gives no reason if no client was returned, since another filter may be the reason', () => {
		expect(explain({ groupName: 'Retail', clientEmail: 'x@y' }, [])).toBe('No client matches the filters.');
	});

	it('names five values at most, similar ones first', () => {
		const groups = (count: number) => Array.from({ length: count }, (_, index) => ({ group_name: `G${index + 1}` }));
		expect(explain({ groupName: 'g66' }, groups(6))).toContain('Existing values: G6, G1, G2, G3, G4 and 1 more.');
		expect(explain({ groupName: 'x' }, groups(5))).toContain('Existing values: G1, G2, G3, G4, G5.');
	});
});
