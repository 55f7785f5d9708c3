import { describeHistories } from '../../../support/describeHistories.mts';

describeHistories(['arbitrary', 'shuffled'], 520);
