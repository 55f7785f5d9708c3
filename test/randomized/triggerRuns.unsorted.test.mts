import { testTriggerRuns } from './triggerRuns/testTriggerRuns.mts';

testTriggerRuns(['arbitrary', 'last-changed']);
