import { clusterHost } from '../support/hosts.mts';
import { OFTEN } from '../support/trigger.mts';
import { describeDays } from '../support/triggerDays.mts';

describeDays('queue-trigger-days', { makeHost: (name, settings) => clusterHost(name, 1, settings), ...OFTEN });
