import { DURABLE_SETTINGS } from './support/durable.mts';
import { singleHost } from './support/hosts.mts';
import { OFTEN } from './support/trigger.mts';
import { describeTrigger } from './support/triggerStory.mts';

describeTrigger('which keeps durable cursors, through edits', {
	host: singleHost('trigger-durable-edits', DURABLE_SETTINGS),
	...OFTEN,
	isKeptById: true,
	chapters: ['edits', 'idle'],
});
