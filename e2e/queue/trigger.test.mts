import { clusterHost } from '../support/hosts.mts';
import { OFTEN } from '../support/trigger.mts';
import { describeTrigger } from '../support/triggerStory.mts';

describeTrigger('in queue mode', {
	host: clusterHost('queue-trigger', 2),
	...OFTEN,
	chapters: ['restarts', 'edits', 'idle', 'events'],
});
