import { describeHistories } from '../../support/history.mts';

describeHistories(['created-ascending', 'created-descending'], 520);
