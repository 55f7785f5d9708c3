import { beforeAll, describe, expect, it } from '@jest/globals';
import { SETTINGS, SETTING_NAMES, type SettingName, type Behavior } from '../../../../sandbox/endpoints/behavior.mts';
import type { SandboxOptions } from '../../../../sandbox/server.mts';
import { byDepth, oneOf } from '../../../support/depth.mts';
import { pauses } from '../../../support/haste.mts';
import type { RunResult } from '../../../support/engine.mts';
import { idsOf, startService, type Service } from '../../../support/service.mts';

const CLIENTS = byDepth({ quick: 130, deep: 230, long: 230 });
const CAPPED: SandboxOptions = { behavior: { overLimit: 'capped' }, maxPageLimit: 25 };
const UNCAPPED: SandboxOptions = {};
const MAX_REQUESTS = 400;

interface Case {
	setting: SettingName;
	value: string;
	pages: 'capped' | 'uncapped';
}

/** What it takes for a setting to have an effect. */
const CIRCUMSTANCES: Partial<Record<SettingName, (service: () => Service) => SandboxOptions>> = {
	wrongMethod: () => ({ behavior: { tokenMethod: 'POST' } }),
	otherParameters: () => ({ behavior: { pageParameter: 'page' } }),
	tokenRefusal: (service) => ({
		onRequest: ({ endpoint, count }) => {
			if (endpoint === 'list' && count === 2) service().app.environment('sandbox').tokens.revokeAll();
		},
	}),
	// The last page is full, so that the one beyond it is requested.
	beyondLast: () => ({ clients: CLIENTS - 5 }),
	rateLimit: () => ({ requestsPerSecond: 15 }),
};

function casesOfBehaviors(): Case[] {
	return SETTING_NAMES.flatMap((setting) =>
		SETTINGS[setting].behaviors.flatMap((value) =>
			oneOf(2, ['capped', 'uncapped'] as const).map((pages) => ({ setting, value, pages })),
		),
	);
}

async function list({ setting, value, pages }: Case, clients = CLIENTS): Promise<RunResult & { service: Service }> {
	const size = pages === 'capped' ? CAPPED : UNCAPPED;
	const circumstances = CIRCUMSTANCES[setting]?.(() => service) ?? {};
	const service: Service = await startService({
		clients,
		...size,
		...circumstances,
		behavior: { ...size.behavior, ...circumstances.behavior, [setting]: value } as Partial<Behavior>,
	});
	// The shortest timeout, for a service that does not respond.
	const result = await service.engine.run({ parameters: { returnAll: true, options: { timeout: 1 } } });
	return { ...result, service };
}

describe('List Clients with Return All', () => {
	beforeAll(async () => {
		pauses.divisor = 100;
		// The first run of all is slow, as if the service were.
		await (await startService()).engine.run();
	});

	it.each(casesOfBehaviors())(
		'returns all clients without a warning when $setting is $value and pages are $pages',
		async (which) => {
			const { json, error, hints, service } = await list(which);
			expect({ error, hints }).toEqual({ error: undefined, hints: [] });
			expect(idsOf(json)).toEqual(service.ids());
			expect(service.requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
		},
	);

	it.each(SETTINGS.emptyList.behaviors)(
		'returns no clients without a warning when an empty list is a %s',
		async (value) => {
			const { json, error, hints, service } = await list({ setting: 'emptyList', value, pages: 'uncapped' }, 0);
			expect({ json, error, hints }).toEqual({
				json: [],
				error: undefined,
				hints: ['The service lists no clients. If there are any, check "Environment" in the credential.'],
			});
			expect(service.listRequests()).toHaveLength(1);
		},
	);
});
