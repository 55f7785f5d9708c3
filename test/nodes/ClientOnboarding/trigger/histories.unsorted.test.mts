import { describeHistories } from '../../../support/histories/describe.mts';

describeHistories(['arbitrary', 'last-changed']);
