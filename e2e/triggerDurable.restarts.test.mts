import { DURABLE, DURABLE_SETTINGS } from './support/durable.mts';
import { singleHost } from './support/hosts.mts';
import { describeTrigger } from './support/triggerStory.mts';

describeTrigger('which keeps durable cursors, through restarts', {
	host: singleHost('trigger-durable-restarts', DURABLE_SETTINGS),
	...DURABLE,
	chapters: ['restarts', 'events'],
});
