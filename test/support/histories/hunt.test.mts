import { expect, it } from '@jest/globals';
import { describeFailure } from './hunt.mts';

it('A random run that fails is shown with its steps, in their order', () => {
	const failure = { message: 'Ada was emitted twice', story: ['Ada comes', 'a poll', 'another poll'], path: '3:1' };
	expect(describeFailure(failure).split('\n')).toEqual([
		'Ada was emitted twice',
		'The shortest history in which this happens:',
		'  1. Ada comes',
		'  2. a poll',
		'  3. another poll',
	]);
});
