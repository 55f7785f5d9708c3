import { testTriggerRuns } from './trigger/testTriggerRuns.mts';

testTriggerRuns(['created-ascending', 'created-descending']);
