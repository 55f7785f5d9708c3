import { describeHistories } from '../../support/history.mts';

describeHistories(['arbitrary', 'shuffled'], 520);
