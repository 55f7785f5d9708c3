import { describeTrigger } from './support/triggerStory.mts';

describeTrigger('which keeps static data', 'trigger', {
	pollTimes: [0, 15, 30, 45].map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
	quietMs: 20_000,
});
