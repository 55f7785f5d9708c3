import { DURABLE, DURABLE_SETTINGS } from './support/durable.mts';
import { singleHost } from './support/hosts.mts';
import { describeTrigger } from './support/triggerStory.mts';

describeTrigger('which keeps durable cursors, through edits', {
	host: singleHost('trigger-durable-edits', DURABLE_SETTINGS),
	...DURABLE,
	chapters: ['edits', 'idle'],
});
