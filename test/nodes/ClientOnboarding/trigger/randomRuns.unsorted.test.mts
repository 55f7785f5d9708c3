import { describeRandomRuns } from '../../../support/triggerRuns/describeRuns.mts';

describeRandomRuns(['arbitrary', 'last-changed']);
