import { describe, expect, it } from '@jest/globals';
import { ParameterValue } from '../../../../nodes/ClientOnboarding/parameters/value';

describe('A value', () => {
	it.each<[string, ParameterValue, boolean]>([
		['a fixed blank', new ParameterValue('', ''), false],
		['an untouched list', new ParameterValue([], []), false],
		['what is not there', new ParameterValue(undefined), false],
		['a blank of an expression', new ParameterValue('', '={{ $json.a }}'), true],
		['nothing of an expression', new ParameterValue(undefined, '={{ $json.a }}'), true],
		['a list of nothing', new ParameterValue([[null, ' ']], '={{ $json.a }}'), true],
		['a list whose only entry comes to nothing', new ParameterValue([undefined], ['={{ $json.a }}']), true],
		['an expression without text', new ParameterValue('', '='), true],
		['a zero of an expression', new ParameterValue(0, '={{ $json.a }}'), false],
		['false of an expression', new ParameterValue(false, '={{ $json.a }}'), false],
		['a blank of an agent', new ParameterValue('', "={{ $fromAI('a') }}"), false],
		['a blank of an agent in other letters', new ParameterValue('', "={{ $fromai('a') }}"), false],
		['a blank of an agent in a list', new ParameterValue([''], ["={{ $fromAi('a') }}"]), false],
	])('(%s) is missing: %#', (_, given, isMissing) => {
		expect(given.isMissing).toBe(isMissing);
	});
});

describe('A collection', () => {
	it('holds values of all origins', () => {
		const raw = { fixed: '', dynamic: '={{ $json.a }}', agent: "={{ $fromAI('a') }}" };
		const given = new ParameterValue({ fixed: '', dynamic: undefined, agent: undefined }, raw);
		expect(['fixed', 'dynamic', 'agent', 'absent'].filter((key) => given.at(key).isMissing)).toEqual(['dynamic']);
	});

	it('that an expression makes has set what is in it, and nothing else', () => {
		const given = new ParameterValue({ clientEmail: undefined }, '={{ $json.filters }}');
		expect(given.at('clientEmail').isMissing).toBe(true);
		expect(given.at('groupName').isMissing).toBe(false);
	});

	it('that is none has no values', () => {
		expect(new ParameterValue(undefined, '={{ $json.filters }}').at('clientEmail').value).toBeUndefined();
	});
});
