import { describeTrigger } from './support/trigger-story.mts';

describeTrigger('which keeps static data', 'trigger', { pollAt: [0, 15, 30, 45] });
