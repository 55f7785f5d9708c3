import { testTriggerRuns } from './triggerRuns/testTriggerRuns.mts';

testTriggerRuns(['created-ascending', 'created-descending']);
