import { describe, expect, it } from '@jest/globals';
import { Given } from '../../../../nodes/ClientOnboarding/parameters/given';
import { parseFields, pickFields } from '../../../../nodes/ClientOnboarding/parameters/input';

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
		expect(pickFields([record], parseFields(new Given(fields)))).toEqual([picked]);
	});
});
