import fc from 'fast-check';
import { CLIENT_TYPES, REQUEST_STATUSES } from '../../../sandbox/data/client.mts';
import { SETTINGS, type SettingName, type Behavior } from '../../../sandbox/endpoints/behavior.mts';
import type { Watch } from './expectEvents.mts';

export const EVENTS = [
	'clientCreated',
	'clientRemoved',
	'clientStalled',
	'clientUpdated',
	'requestStatusChanged',
	'statusReached',
];
const FIELDS = ['client_name', 'client_status', 'client_type', 'email', 'group_name'] as const;
/** The open points of the specification that a read of the whole list meets. */
const OPEN_POINTS = [
	'tokenMethod',
	'wrongMethod',
	'expiresIn',
	'tokenRefusal',
	'pageParameter',
	'otherParameters',
	'pageSizes',
	'overLimit',
	'beyondLast',
	'emptyList',
	'statusCase',
	'extras',
] as const satisfies SettingName[];
/** Longer than what one page shows. */
const LONG = 1_000;
/** A request under these ends with the timeout, which takes too long here. */
const SLOW_BEHAVIORS = ['hang'];
/** Temporary and permanent errors: the events are the same after both. */
const FAULTS = [
	'rate-limit-seconds:seconds=0,times=1',
	'rate-limit-seconds:seconds=0,times=4',
	'rate-limit-seconds:seconds=0',
	'status:code=401,times=1',
	'status:code=403',
	'status:code=400,times=1',
	'status:code=418',
	'html:times=1',
	'wrong-envelope:times=1',
	'redirect:',
	'rate-limit-seconds:seconds=0,endpoint=token,times=2',
];

export interface NewClient {
	type: string;
	status: string;
	ageDays: number;
}

/** `which` is taken modulo the number of choices, so that a step stays possible when fast-check leaves out others. */
export type Step =
	| { action: 'add'; client: NewClient }
	| { action: 'setStatus'; which: number; status: string }
	/** Few values, so that a field sometimes gets an earlier one again. */
	| { action: 'update'; which: number; field: (typeof FIELDS)[number]; value: number }
	| { action: 'remove'; which: number }
	| { action: 'poll' }
	| { action: 'pollWithFault'; fault: string }
	/** n8n restarts with the state it stored last or, unless `which` is 0, with any older one. */
	| { action: 'restart'; which: number }
	/** A poll whose events are lost because n8n is killed, or because the workflow is saved in n8n 2.x. */
	| { action: 'pollForNobody'; isKilled: boolean }
	/** The workflow is saved in n8n 1.x while a poll is under way. */
	| { action: 'pollAcrossSave' }
	/** The workflow is saved in n8n 2.x, and polled, while a poll is under way. */
	| { action: 'pollBesides' }
	/** A poll while this many of every ten clients are not listed. */
	| { action: 'pollWithoutSome'; tenths: number }
	| { action: 'rotateKey' }
	/** Another event is chosen, or one is not chosen any more, and the workflow is saved. */
	| { action: 'edit'; which: number }
	/** A poll while the service reports more clients than it returns. */
	| { action: 'pollIncomplete' }
	| { action: 'wait'; days: number };

/** The changes of a list, the polls between them, and the parameters of the trigger. */
export interface Plan {
	watch: Watch;
	/** What the service does where the specification leaves it open. */
	behavior: Partial<Behavior>;
	maxPageLimit: number;
	/** A new token revokes the one before. */
	isSingleToken: boolean;
	/** So many clients are listed besides. Of such a list in created order, a poll for new clients reads only a part. */
	longList: number;
	includesExisting: boolean;
	hasDurableCursors: boolean;
	quietChanges: 'always' | 'automatic' | 'never';
	clients: NewClient[];
	steps: Step[];
}

const sometimes = fc.nat(9).map((tenth) => tenth >= 7);
const which = fc.nat(1_000);
const status = fc.constantFrom(...REQUEST_STATUSES);

const newClient: fc.Arbitrary<NewClient> = fc.record({
	type: fc.constantFrom(...CLIENT_TYPES),
	status,
	// Created just now or, in a third of the cases, long before others.
	ageDays: fc.oneof(
		{ weight: 7, arbitrary: fc.constant(0) },
		{ weight: 3, arbitrary: fc.integer({ min: 2, max: 101 }) },
	),
});

const fault = fc
	.tuple(fc.constantFrom(...FAULTS), fc.nat(2))
	.map(([name, skip]) => name.replace(':', `:skip=${skip},`).replace(/,$/, ''));

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 15, arbitrary: fc.constant({ action: 'poll' as const }) },
	{ weight: 25, arbitrary: fc.record({ action: fc.constant('add' as const), client: newClient }) },
	{ weight: 30, arbitrary: fc.record({ action: fc.constant('setStatus' as const), which, status }) },
	{
		weight: 12,
		arbitrary: fc.record({
			action: fc.constant('update' as const),
			which,
			field: fc.constantFrom(...FIELDS),
			value: fc.nat(2),
		}),
	},
	{ weight: 10, arbitrary: fc.record({ action: fc.constant('remove' as const), which }) },
	{ weight: 13, arbitrary: fc.record({ action: fc.constant('pollWithFault' as const), fault }) },
	{
		weight: 7,
		arbitrary: fc.record({
			action: fc.constant('restart' as const),
			which: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: which }),
		}),
	},
	{ weight: 4, arbitrary: fc.record({ action: fc.constant('pollForNobody' as const), isKilled: fc.boolean() }) },
	{ weight: 3, arbitrary: fc.constant({ action: 'pollAcrossSave' as const }) },
	{ weight: 3, arbitrary: fc.constant({ action: 'pollBesides' as const }) },
	{
		weight: 5,
		arbitrary: fc.record({ action: fc.constant('pollWithoutSome' as const), tenths: fc.constantFrom(1, 5, 10) }),
	},
	{ weight: 3, arbitrary: fc.constant({ action: 'rotateKey' as const }) },
	{ weight: 4, arbitrary: fc.record({ action: fc.constant('edit' as const), which }) },
	{ weight: 3, arbitrary: fc.constant({ action: 'pollIncomplete' as const }) },
	{ weight: 5, arbitrary: fc.record({ action: fc.constant('wait' as const), days: fc.constantFrom(1, 5, 31) }) },
);

const statuses = fc.subarray(REQUEST_STATUSES.map((name) => name.toLowerCase()));

const watch: fc.Arbitrary<Watch> = fc
	.record({
		triggerOn: fc.subarray(EVENTS, { minLength: 1 }),
		statusBecomes: fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, { weight: 7, arbitrary: statuses }),
		clientType: fc.option(fc.constantFrom(...CLIENT_TYPES), { nil: undefined, freq: 2 }),
		requestStatus: fc.oneof({ weight: 7, arbitrary: fc.constant<string[]>([]) }, { weight: 3, arbitrary: statuses }),
		stalledAfterDays: fc.constantFrom(0, 1, 30),
		repeatAfterDays: fc.constantFrom(0, 0, 1, 7),
		stalledStatuses: fc.subarray(['requested', 'accepted']).map((others) => ['pending', ...others]),
		watchedFields: fc.subarray([...FIELDS], { minLength: 1 }),
		maxEvents: fc.constantFrom(1, 3, 1_000, 1_000),
		rememberNames: fc.boolean(),
	})
	.map(withoutContradictions);

/** Replaces combinations of statuses that the trigger refuses. */
export function withoutContradictions(watch: Watch): Watch {
	const statusBecomes =
		watch.triggerOn.includes('statusReached') && watch.statusBecomes.length === 0 ? ['declined'] : watch.statusBecomes;
	const exclude = (chosen: string[], others: string[]) =>
		chosen.length > 0 && !chosen.some((status) => others.includes(status));
	const isRefused = exclude(statusBecomes, watch.requestStatus) || exclude(watch.stalledStatuses, watch.requestStatus);
	return { ...watch, statusBecomes, requestStatus: isRefused ? [] : watch.requestStatus };
}

const drawBehavior = (order: Behavior['order']): fc.Arbitrary<Partial<Behavior>> =>
	fc.record({
		...Object.fromEntries(
			OPEN_POINTS.map((setting) => {
				const values: readonly string[] = SETTINGS[setting].behaviors;
				return [setting, fc.constantFrom(...values.filter((value) => !SLOW_BEHAVIORS.includes(value)))];
			}),
		),
		order: fc.constant(order),
	});

/** `size: 'max'` gives every length the same chance; otherwise nearly all lists would be short. */
const upTo = (maxLength: number) => ({ maxLength, size: 'max' as const });

export const plansFor = (order: Behavior['order']): fc.Arbitrary<Plan> =>
	fc
		.record({
			watch,
			behavior: drawBehavior(order),
			maxPageLimit: fc.constantFrom(25, 100, 10_000),
			isSingleToken: sometimes,
			longList: fc.constantFrom(...Array<number>(19).fill(0), order?.startsWith('created') ? LONG : 0),
			includesExisting: sometimes,
			hasDurableCursors: fc.boolean(),
			quietChanges: fc.constantFrom<Plan['quietChanges']>('always', 'always', 'automatic', 'never'),
			clients: fc.oneof(
				{ weight: 19, arbitrary: fc.array(newClient, upTo(30)) },
				{ weight: 1, arbitrary: fc.array(newClient, upTo(300)) },
			),
			steps: fc.array(step, upTo(28)),
		})
		.map((plan) =>
			plan.longList > 0
				? {
						...plan,
						maxPageLimit: Math.max(plan.maxPageLimit, LONG / 10),
						watch: { ...plan.watch, triggerOn: ['clientCreated'] },
						// Many of them were created in the same millisecond, so their order is not certain.
						includesExisting: false,
					}
				: plan,
		);
