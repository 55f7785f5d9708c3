import { expect, it } from '@jest/globals';
import { describeFailure } from './findFailure.mts';

it('The report of a random trigger run that fails lists its steps in order', () => {
	const failure = { message: 'Ada was emitted twice', story: ['Ada comes', 'a poll', 'another poll'], path: '3:1' };
	expect(describeFailure(failure).split('\n')).toEqual([
		'Ada was emitted twice',
		'The shortest run in which this happens:',
		'  1. Ada comes',
		'  2. a poll',
		'  3. another poll',
	]);
});
