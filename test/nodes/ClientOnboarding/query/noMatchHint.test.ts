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
	const PART = 'To search by part of an email address, set the option "Text Match" to "Contains".';

	it.each<[string, IDataObject, string]>([
		[
			'names groups',
			{ groupName: 'wholesal' },
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
			{ createdWithinDays: 5, olderThanDays: 7, groupName: 'x' },
			'No creation date can match all date filters.',
		],
		[
			'names the client statuses',
			{ clientStatus: 'asleep' },
			'None of the returned clients has the client status "asleep". Existing values: Active.',
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
		expect(explain({}, [])).toBe('The service lists no clients.');
	});

	it('gives no reason for a part of a text, or if no client has the field', () => {
		expect(explain({ groupName: 'x', clientEmail: 'x' }, CLIENTS, 'part')).toBe('No client matches the filters.');
		expect(explain({ clientStatus: 'asleep' }, [{}, { client_status: ' ' }])).toBe('No client matches the filters.');
	});

	it('names five values at most, similar ones first', () => {
		const groups = (count: number) => Array.from({ length: count }, (_, index) => ({ group_name: `G${index + 1}` }));
		expect(explain({ groupName: 'g66' }, groups(6))).toContain('Existing values: G6, G1, G2, G3, G4 and 1 more.');
		expect(explain({ groupName: 'x' }, groups(5))).toContain('Existing values: G1, G2, G3, G4, G5.');
	});
});
