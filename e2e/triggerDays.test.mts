import { singleHost } from './support/hosts.mts';
import { OFTEN } from './support/trigger.mts';
import { describeDays } from './support/triggerDays.mts';

describeDays('trigger-days', { makeHost: singleHost, ...OFTEN });
