import { describeHistories } from '../../../support/describeHistories.mts';

describeHistories(['created-ascending', 'created-descending'], 520);
