import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { ParameterValue } from '../../../../nodes/ClientOnboarding/parameters/value';
import { parseFields, parseFilters } from '../../../../nodes/ClientOnboarding/parameters/filtersAndOptions';
import { pickFields } from '../../../../nodes/ClientOnboarding/parameters/pickFields';
import { createdRange } from '../../../../nodes/ClientOnboarding/query/filters';

describe('Fields', () => {
	const record = { a: 1, b: null, c: 3 };
	it.each([
		[['c', ' a '], { c: 3, a: 1 }],
		['b, a,', { b: null, a: 1 }],
		[['constructor', 'a'], { a: 1 }],
		['', record],
		[[], record],
		[undefined, record],
	])('%j are picked as %j', (fields, picked) => {
		expect(pickFields([record], parseFields(new ParameterValue(fields)))).toEqual([picked]);
	});
});

describe('Filters by age', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});

	/** Clocks go forward in Berlin on 29 March 2026, and back on 25 October. */
	it.each<[string, string, IDataObject, string | undefined, string | undefined]>([
		['2026-03-31T10:00:00Z', 'Europe/Berlin', { createdWithinDays: 7 }, '2026-03-24T10:00:00Z', undefined],
		['2026-03-31T10:00:00Z', 'America/New_York', { createdWithinDays: 7 }, '2026-03-24T10:00:00Z', undefined],
		['2026-10-26T00:30:00Z', 'Europe/Berlin', { olderThanDays: 1 }, undefined, '2026-10-25T00:30:00Z'],
		['2026-10-26T00:30:00Z', 'Europe/Berlin', { olderThanDays: 0.5 }, undefined, '2026-10-25T12:30:00Z'],
		['2026-10-26T00:30:00Z', 'Europe/Berlin', { createdWithinDays: '0' }, '2026-10-26T00:30:00Z', undefined],
		[
			'2026-10-26T00:00:00Z',
			'Europe/Berlin',
			{ createdWithinDays: 30, createdAfter: '2026-10-24', olderThanDays: 1, createdBefore: '2026-10-30' },
			'2026-10-23T22:00:00Z',
			'2026-10-25T00:00:00Z',
		],
		[
			'2026-10-26T00:00:00Z',
			'Europe/Berlin',
			{ createdWithinDays: 1, createdAfter: '2026-10-01', olderThanDays: 0, createdBefore: '2026-10-25T23:00:00Z' },
			'2026-10-25T00:00:00Z',
			'2026-10-25T23:00:00Z',
		],
	])('are converted to dates at %s in %s: %j', (now, zone, given, after, before) => {
		jest.spyOn(Date, 'now').mockImplementation(() => Date.parse(now));
		const { afterMs, beforeMs } = createdRange(
			parseFilters(new ParameterValue(given), new ParameterValue({}), zone),
			Date.now(),
		);
		const iso = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString().replace('.000', '') : undefined);
		expect([iso(afterMs), iso(beforeMs)]).toEqual([after, before]);
	});

	it.each([{ createdWithinDays: -1 }, { olderThanDays: 'soon' }])('are refused with a message: %j', (given) => {
		expect(() => parseFilters(new ParameterValue(given), new ParameterValue({}), 'UTC')).toThrow(
			'" must be a number of at least 0',
		);
	});
});
