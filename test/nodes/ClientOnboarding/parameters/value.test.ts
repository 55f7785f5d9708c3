import { describe, expect, it } from '@jest/globals';
import { itemParameters, ParameterValue, triggerParameters } from '../../../../nodes/ClientOnboarding/parameters/value';

describe('A value', () => {
	it.each<[string, ParameterValue, boolean]>([
		['a fixed blank', new ParameterValue('', ''), false],
		['an untouched list', new ParameterValue([], []), false],
		['undefined', new ParameterValue(undefined), false],
		['a blank of an expression', new ParameterValue('', '={{ $json.a }}'), true],
		['nothing of an expression', new ParameterValue(undefined, '={{ $json.a }}'), true],
		['a list of nothing', new ParameterValue([[null, ' ']], '={{ $json.a }}'), true],
		['a list whose only entry resolves to nothing', new ParameterValue([undefined], ['={{ $json.a }}']), true],
		['an expression without text', new ParameterValue('', '='), true],
		['a zero of an expression', new ParameterValue(0, '={{ $json.a }}'), false],
		['false of an expression', new ParameterValue(false, '={{ $json.a }}'), false],
		['a blank of an agent', new ParameterValue('', "={{ $fromAI('a') }}"), false],
		['a blank of an agent in another case', new ParameterValue('', "={{ $fromai('a') }}"), false],
		['a blank of an agent in a list', new ParameterValue([''], ["={{ $fromAi('a') }}"]), false],
	])("is missing only if the user's expression resolves to nothing: %s", (_, given, isMissing) => {
		expect(given.isMissing).toBe(isMissing);
	});
});

describe('A collection', () => {
	it('can hold fixed values, expressions and values of AI agents', () => {
		const raw = { fixed: '', dynamic: '={{ $json.a }}', agent: "={{ $fromAI('a') }}" };
		const given = new ParameterValue({ fixed: '', dynamic: undefined, agent: undefined }, raw);
		expect(['fixed', 'dynamic', 'agent', 'absent'].filter((key) => given.at(key).isMissing)).toEqual(['dynamic']);
	});

	it('from an expression has only the values that are in it', () => {
		const given = new ParameterValue({ clientEmail: undefined }, '={{ $json.filters }}');
		expect(given.at('clientEmail').isMissing).toBe(true);
		expect(given.at('groupName').isMissing).toBe(false);
	});

	it('that is undefined has no values', () => {
		expect(new ParameterValue(undefined, '={{ $json.filters }}').at('clientEmail').value).toBeUndefined();
	});
});

describe('A parameter', () => {
	it('is evaluated for its item, but not if the workflow does not have it, since n8n would throw', () => {
		const context = {
			getNode: () => ({ parameters: { limit: '={{ 5 }}' } }),
			getNodeParameter: (name: string, itemIndex?: number) => `${name} of item ${itemIndex}`,
		};
		const [item, trigger] = [itemParameters(context as never, 3), triggerParameters(context as never)];
		expect([item('limit').value, trigger('limit').value]).toEqual(['limit of item 3', 'limit of item undefined']);
		expect([item('limit').isFixed, item('other').value, trigger('other').value]).toEqual([false, undefined, undefined]);
	});
});
