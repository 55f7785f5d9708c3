import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ParameterValue } from '../../../../nodes/ClientOnboarding/parameters/value';
import {
	parseFields,
	parseFilters,
	parseReadSettings,
	parseSort,
} from '../../../../nodes/ClientOnboarding/parameters/filtersAndOptions';
import { pickFields } from '../../../../nodes/ClientOnboarding/parameters/pickFields';
import { filtersField } from '../../../../nodes/ClientOnboarding/parameters/properties';
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

	it('may be named by their labels, also for other records than clients', () => {
		expect(parseFields(new ParameterValue('Client Name, EMAIL, other'))).toEqual(['client_name', 'email', 'other']);
	});

	it('are left out of a record that lacks them, but refused if no record has any', () => {
		expect(pickFields([{ a: 1 }, { b: 2 }], ['a'])).toEqual([{ a: 1 }, {}]);
		expect(pickFields([], ['x'])).toEqual([]);
		expect(() => pickFields([record], ['x', 'y'])).toThrow(
			'None of the fields in "Fields to Return" exists: x, y. Choose from the list',
		);
	});
});

const EXPRESSION = '={{ $json.value }}';
const blank = (names: string[]) => new ParameterValue({}, Object.fromEntries(names.map((name) => [name, EXPRESSION])));
const noOptions = new ParameterValue({});

const VALUES = { dateTime: '2026-01-31', number: 3, resourceLocator: 'text', string: 'text' };

describe('Every filter in the form', () => {
	const fields = filtersField.options as INodeProperties[];
	const parse = (filters: IDataObject) => parseFilters(new ParameterValue(filters), noOptions, 'UTC');

	it.each(fields.map((field) => [field.displayName, field] as const))('is used: %s', (_, { name, type, options }) => {
		const [choice] = (options ?? []) as INodePropertyOptions[];
		const value = VALUES[type as keyof typeof VALUES] ?? choice.value;
		expect(parse({ [name]: value })).not.toStrictEqual(parse({}));
	});
});

describe('The settings of a read', () => {
	it('have defaults', () => {
		expect(parseReadSettings(noOptions)).toEqual({
			paging: { consistency: 'exact', pageSize: undefined },
			parallelRequests: 5,
			timeoutMs: 30_000,
		});
	});

	it('are those of the options', () => {
		const options = { consistency: 'Fast', pageSize: '50', parallelRequests: 20, timeout: 1.5 };
		expect(parseReadSettings(new ParameterValue(options))).toEqual({
			paging: { consistency: 'fast', pageSize: 50 },
			parallelRequests: 20,
			timeoutMs: 1_500,
		});
	});

	it.each([
		[{ consistency: 'x' }, '"Read Mode" cannot be "x". Use one of: exact, fast'],
		[{ pageSize: 0 }, '"Page Size" must be a whole number of at least 1, not 0'],
		[{ parallelRequests: 21 }, '"Parallel Requests" must be a whole number from 1 to 20, not 21'],
		[{ timeout: 301 }, '"Timeout (Seconds)" must be a number from 1 to 300, not 301'],
	])('%j are refused: %s', (options, message) => {
		expect(() => parseReadSettings(new ParameterValue(options))).toThrow(message);
	});

	it.each([
		['consistency', 'Read Mode'],
		['pageSize', 'Page Size'],
		['parallelRequests', 'Parallel Requests'],
		['timeout', 'Timeout (Seconds)'],
	])('refuse an expression without a value for %s by its label', (name, label) => {
		expect(() => parseReadSettings(blank([name]))).toThrow(`"${label}" is empty: its expression has no value.`);
	});
});

describe('The order', () => {
	it('is the one of the service, or one that exists', () => {
		expect(parseSort(new ParameterValue(undefined))).toBeUndefined();
		expect(parseSort(new ParameterValue('newestFirst'))).toBe('newestFirst');
		expect(() => parseSort(new ParameterValue('x'))).toThrow('"Sort" cannot be "x"');
		expect(() => parseSort(new ParameterValue(undefined, EXPRESSION))).toThrow('"Sort" is empty');
	});
});

describe('Filters', () => {
	it.each([
		['clientEmail', 'Client Email', {}],
		['clientStatus', 'Client Status', {}],
		['groupName', 'Group', {}],
		['clientType', 'Client Type', 'robot'],
		['requestStatus', 'Request Status', 'robot'],
		['createdAfter', 'Created After', 'soon'],
		['createdBefore', 'Created Before', 'soon'],
		['createdWithinDays', 'Created Within (Days)', -1],
		['olderThanDays', 'Created More Than (Days Ago)', -1],
	])('name the field of a bad value or of an expression without a value: %s', (name, label, bad) => {
		const parse = (filters: ParameterValue) => parseFilters(filters, noOptions, 'UTC');
		expect(() => parse(new ParameterValue({ [name]: bad }))).toThrow(`"${label}" `);
		expect(() => parse(blank([name]))).toThrow(`"${label}" is empty: its expression has no value.`);
	});

	it('match text as a whole unless Text Match says otherwise, but a client status always', () => {
		const given = new ParameterValue({ clientEmail: 'a', clientStatus: 'b', groupName: 'c' });
		for (const textMatch of ['whole', 'part'] as const) {
			expect(parseFilters(given, new ParameterValue({ textMatch }), 'UTC').texts).toEqual({
				email: { text: 'a', match: textMatch },
				client_status: { text: 'b', match: 'whole' },
				group_name: { text: 'c', match: textMatch },
			});
		}
		expect(parseFilters(given, noOptions, 'UTC').texts.email?.match).toBe('whole');
		expect(() => parseFilters(given, new ParameterValue({ textMatch: 'x' }), 'UTC')).toThrow(
			'"Text Match" cannot be "x". Use one of: whole, part',
		);
		expect(() => parseFilters(given, blank(['textMatch']), 'UTC')).toThrow('"Text Match" is empty');
	});

	it.each<[string, unknown, unknown, string | undefined]>([
		['from the list called "all"', { mode: 'list', value: 'all' }, undefined, 'all'],
		['from the list that is empty', { mode: 'list', value: '' }, undefined, undefined],
		['from the list by an expression', { mode: 'list', value: 'all' }, { value: EXPRESSION }, undefined],
		['by the name "all"', { mode: 'name', value: 'all' }, undefined, undefined],
		['by name', { mode: 'name', value: ' VIP ' }, undefined, 'VIP'],
		['as text', 'VIP', undefined, 'VIP'],
	])('have a group %s: %j', (_, groupName, raw, expected) => {
		const given = new ParameterValue({ groupName }, { groupName: raw ?? groupName });
		expect(parseFilters(given, noOptions, 'UTC').texts.group_name?.text).toBe(expected);
	});

	it('take "none" for no choice, and as a text', () => {
		const given = new ParameterValue({ clientType: 'none', groupName: 'none' });
		const { choices, texts } = parseFilters(given, noOptions, 'UTC');
		expect([choices.client_type, texts.group_name?.text]).toEqual([[], 'none']);
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
