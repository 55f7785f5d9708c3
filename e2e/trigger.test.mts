import { describeTrigger } from './support/trigger-story.mts';

describeTrigger('which keeps static data', 'trigger', {});
