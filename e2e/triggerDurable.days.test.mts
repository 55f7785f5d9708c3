import { DURABLE, DURABLE_SETTINGS } from './support/durable.mts';
import { singleHost } from './support/hosts.mts';
import { describeDays } from './support/triggerDays.mts';

describeDays('trigger-durable-days', {
	makeHost: (name, settings) => singleHost(name, { ...DURABLE_SETTINGS, ...settings }),
	...DURABLE,
});
