import { singleHost } from './support/hosts.mts';
import { OFTEN } from './support/trigger.mts';
import { describeTrigger } from './support/triggerStory.mts';

describeTrigger('which keeps static data', {
	host: singleHost('trigger'),
	...OFTEN,
	chapters: ['restarts', 'edits', 'idle', 'events'],
});
