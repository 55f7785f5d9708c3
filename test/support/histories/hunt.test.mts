import { expect, it } from '@jest/globals';
import { describeFailure } from './hunt.mts';

it('A history that fails is told with its steps, in their order', () => {
	const failure = { message: 'Ada was told twice', story: ['Ada comes', 'a poll', 'another poll'], path: '3:1' };
	expect(describeFailure(failure).split('\n')).toEqual([
		'Ada was told twice',
		'The shortest history in which this happens:',
		'  1. Ada comes',
		'  2. a poll',
		'  3. another poll',
	]);
});
