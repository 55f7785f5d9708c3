import { describe, expect, it } from '@jest/globals';
import { Given } from '../../../../nodes/ClientOnboarding/parameters/given';

describe('A value', () => {
	it.each<[string, Given, boolean]>([
		['a fixed blank', new Given('', ''), false],
		['an untouched list', new Given([], []), false],
		['what is not there', new Given(undefined), false],
		['a blank of an expression', new Given('', '={{ $json.a }}'), true],
		['nothing of an expression', new Given(undefined, '={{ $json.a }}'), true],
		['a list of nothing', new Given([[null, ' ']], '={{ $json.a }}'), true],
		['a list whose only entry comes to nothing', new Given([undefined], ['={{ $json.a }}']), true],
		['an expression without text', new Given('', '='), true],
		['a zero of an expression', new Given(0, '={{ $json.a }}'), false],
		['false of an expression', new Given(false, '={{ $json.a }}'), false],
		['a blank of an agent', new Given('', "={{ $fromAI('a') }}"), false],
		['a blank of an agent in other letters', new Given('', "={{ $fromai('a') }}"), false],
		['a blank of an agent in a list', new Given([''], ["={{ $fromAi('a') }}"]), false],
	])('(%s) is missing: %#', (_, given, isMissing) => {
		expect(given.isMissing).toBe(isMissing);
	});
});

describe('A collection', () => {
	it('holds values of all origins', () => {
		const raw = { fixed: '', dynamic: '={{ $json.a }}', agent: "={{ $fromAI('a') }}" };
		const given = new Given({ fixed: '', dynamic: undefined, agent: undefined }, raw);
		expect(['fixed', 'dynamic', 'agent', 'absent'].filter((key) => given.at(key).isMissing)).toEqual(['dynamic']);
	});

	it('that an expression makes has set what is in it, and nothing else', () => {
		const given = new Given({ clientEmail: undefined }, '={{ $json.filters }}');
		expect(given.at('clientEmail').isMissing).toBe(true);
		expect(given.at('groupName').isMissing).toBe(false);
	});

	it('that is none has no values', () => {
		expect(new Given(undefined, '={{ $json.filters }}').at('clientEmail').value).toBeUndefined();
	});
});
