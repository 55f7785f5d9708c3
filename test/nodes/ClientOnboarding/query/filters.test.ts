import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import type { TextMatch } from '../../../../nodes/ClientOnboarding/query/filters';
import {
	isFilteredHere,
	matcherFor,
	mayMatchLater,
	NO_FILTERS,
	toQuery,
} from '../../../../nodes/ClientOnboarding/query/filters';
import { parseFilters } from '../../../../nodes/ClientOnboarding/parameters/filtersAndOptions';
import { ParameterValue } from '../../../../nodes/ClientOnboarding/parameters/value';

const parse = (raw: IDataObject, textMatch: TextMatch = 'whole') =>
	parseFilters(new ParameterValue(raw), new ParameterValue({ textMatch }), 'UTC');
const client = {
	email: 'Ada@Example.com',
	group_name: 'Retail',
	client_status: 'Active',
	client_type: 'Individual',
	request_status: 'Pending',
	created_at: '2026-03-01T12:00:00.500000Z',
};

describe('The query to the service', () => {
	it.each<[IDataObject, TextMatch, IDataObject]>([
		[{}, 'whole', {}],
		[
			{ clientEmail: ' a@b.c ', groupName: { mode: 'name', value: 'G' } },
			'whole',
			{ client_email: 'a@b.c', group_name: 'G' },
		],
		[{ clientEmail: 'a@b.c', groupName: 'G' }, 'part', {}],
		[{ clientType: 'Company' }, 'part', { client_type: 'company' }],
		[{ clientType: 'company, Company' }, 'whole', { client_type: 'company' }],
		[{ clientType: ['company', 'individual'] }, 'whole', {}],
		[{ requestStatus: ['Pending'] }, 'whole', { request_status: 'pending' }],
		[{ requestStatus: ['pending', 'PENDING '] }, 'whole', { request_status: 'pending' }],
		[{ requestStatus: ['pending', 'declined'] }, 'whole', {}],
		[{ createdAfter: '2026-01-01', createdBefore: '2026-02-01' }, 'whole', {}],
		[
			{ clientEmail: '', clientType: '', requestStatus: [], groupName: { mode: 'list', value: '' }, createdAfter: '' },
			'whole',
			{},
		],
	])('for the filters %j (text match: %s) is %j', (raw, textMatch, query) => {
		expect(toQuery(parse(raw, textMatch))).toEqual(query);
	});
});

describe('A client', () => {
	it.each<[IDataObject, TextMatch, boolean]>([
		[{}, 'whole', true],
		[{ clientEmail: 'ada@example.COM' }, 'whole', true],
		[{ clientEmail: 'ada@example' }, 'whole', false],
		[{ clientEmail: 'ada@example' }, 'part', true],
		[{ groupName: 'RETAIL' }, 'whole', true],
		[{ groupName: 'tail' }, 'whole', false],
		[{ groupName: 'tail' }, 'part', true],
		[{ clientStatus: 'active' }, 'whole', true],
		[{ clientStatus: 'act' }, 'whole', false],
		[{ clientStatus: 'act' }, 'part', false],
		[{ clientType: 'individual' }, 'whole', true],
		[{ clientType: 'company' }, 'whole', false],
		[{ clientType: 'company,individual' }, 'whole', true],
		[{ requestStatus: ['declined', 'pending'] }, 'whole', true],
		[{ requestStatus: ['declined'] }, 'whole', false],
		[{ createdAfter: '2026-03-01T12:00:00.500Z' }, 'whole', true],
		[{ createdAfter: '2026-03-01T12:00:00.501Z' }, 'whole', false],
		[{ createdBefore: '2026-03-01T12:00:00.500Z' }, 'whole', false],
		[{ createdBefore: '2026-03-01T12:00:00.501Z' }, 'whole', true],
		[{ clientType: 'individual', requestStatus: ['declined'] }, 'whole', false],
	])('is compared with the filters %j (text match: %s): %j', (raw, textMatch, isMatch) => {
		expect(matcherFor(parse(raw, textMatch))(client)).toBe(isMatch);
	});

	it('of an unknown type is neither a company nor an individual', () => {
		expect(matcherFor(parse({ clientType: 'company,individual' }))({ ...client, client_type: 'trust' })).toBe(false);
	});

	it('without the field of a filter does not match', () => {
		for (const raw of [
			{ clientStatus: 'x' },
			{ clientEmail: 'x' },
			{ groupName: 'x' },
			{ clientType: 'company' },
			{ requestStatus: ['pending'] },
			{ createdAfter: '2000-01-01' },
			{ createdBefore: '2100-01-01' },
		]) {
			expect(matcherFor(parse(raw))({})).toBe(false);
		}
	});
});

describe('Filters that the node has to apply itself', () => {
	it.each<[IDataObject, TextMatch, boolean]>([
		[{}, 'whole', false],
		[{}, 'part', false],
		[{ clientEmail: 'a', groupName: 'b', clientType: 'company', requestStatus: ['pending'] }, 'whole', false],
		[{ clientEmail: 'a' }, 'part', true],
		[{ groupName: 'b' }, 'part', true],
		[{ requestStatus: ['pending', 'declined'] }, 'whole', true],
		[{ clientType: ['company', 'individual'] }, 'whole', true],
		[{ createdAfter: '2026-01-01' }, 'whole', true],
		[{ createdBefore: '2026-01-01' }, 'whole', true],
		[{ clientStatus: 'active' }, 'whole', true],
	])('are contained in %j (text match: %s): %j', (raw, textMatch, isSearch) => {
		expect(isFilteredHere(parse(raw, textMatch))).toBe(isSearch);
	});

	it('are not contained in an empty set of filters', () => {
		expect(isFilteredHere(NO_FILTERS)).toBe(false);
		expect(toQuery(NO_FILTERS)).toEqual({});
		expect(matcherFor(NO_FILTERS)({})).toBe(true);
	});
});

describe('A client that does not match', () => {
	it.each<[IDataObject, boolean]>([
		[{}, false],
		[{ createdAfter: '2026-01-01', createdBefore: '2026-02-01' }, false],
		[{ createdWithinDays: 7 }, false],
		[{ olderThanDays: 7 }, true],
		[{ clientEmail: 'a@b.c' }, true],
		[{ clientStatus: 'active' }, true],
		[{ clientType: 'company' }, true],
		[{ groupName: 'G' }, true],
		[{ requestStatus: ['pending'] }, true],
	])('the filters %j may match them later: %j', (raw, isPossible) => {
		expect(mayMatchLater(parse(raw))).toBe(isPossible);
	});
});
