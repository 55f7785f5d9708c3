import { testTriggerRuns } from './trigger/testTriggerRuns.mts';

testTriggerRuns(['arbitrary', 'last-changed']);
