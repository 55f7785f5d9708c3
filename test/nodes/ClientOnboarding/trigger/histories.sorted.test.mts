import { describeHistories } from '../../../support/histories/describe.mts';

describeHistories(['created-ascending', 'created-descending']);
