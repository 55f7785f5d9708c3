import { describeRandomRuns } from '../../../support/triggerRuns/describeRuns.mts';

describeRandomRuns(['created-ascending', 'created-descending']);
