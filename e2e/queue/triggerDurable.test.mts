import { DURABLE, DURABLE_SETTINGS } from '../support/durable.mts';
import { clusterHost } from '../support/hosts.mts';
import { describeTrigger } from '../support/triggerStory.mts';

describeTrigger('in queue mode with durable scheduler and cursors', {
	host: clusterHost('queue-durable', 1, DURABLE_SETTINGS),
	...DURABLE,
	chapters: ['restarts'],
});
