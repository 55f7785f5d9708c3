import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CLIENT_TYPES, type Client } from '../../../sandbox/data/client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { Engine, sandboxCredential } from '../../support/engine.mts';
import { Poller } from '../../support/poller.mts';
import { forgetSecret, trackSecret } from '../../support/secrets.mts';
import { expectEvents, type Expected, type Knowledge, type Watch } from './expectEvents.mts';
import { EVENTS, withoutContradictions, type NewClient, type Plan, type Step } from './plan.mts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SLOW_MS = 40;
const NEEDS_NEW_CLIENTS = ['clientCreated', 'clientRemoved', 'clientUpdated', 'requestStatusChanged'];
const FAULT_LIKE_REFUSALS = ['500', 'envelope-500', 'redirect'];

/** Runs that happen at the same time have a clock each. */
const clock = new AsyncLocalStorage<{ offsetMs: number }>();
const realNow = Date.now;
Date.now = () => realNow() + (clock.getStore()?.offsetMs ?? 0);

/** A failed poll is reported again after an hour. */
const HOUR_MS = 60 * 60 * 1000;

/** What an independent reader knows after a poll, and the API key of that poll. */
interface Standpoint {
	knowledge: Knowledge;
	apiKey: string;
	/** What the saved state holds, if that is less. */
	saved?: Knowledge;
}

/** Carries out a plan with a real service and the trigger. Every change must be emitted, once. */
export class TriggerRun {
	/** The steps so far, one line each, for the report of a failure. */
	private readonly story: string[] = [];

	private sandbox!: Sandbox;

	private poller!: Poller;

	private engine!: Engine;

	/** After the last poll. */
	private last?: Standpoint;

	/** States that n8n has stored, with what was known then. */
	private readonly stored: Array<Standpoint & { text: string; polls: number }> = [];

	/** Clients whose absence the next poll has to confirm. */
	private unconfirmed = new Set<string>();

	/** The current parameters. */
	private watch: Watch;

	private apiKey = '';

	private readonly time = { offsetMs: 0 };

	/** Whether the trigger went on from an older state, and may emit events again. */
	private hasGoneBack = false;

	/** The number of the poll in which it last went back. */
	private wentBackAt = 0;

	private readonly emitted: Array<{ event: IDataObject; poll: number }> = [];

	private polls = 0;

	/** A change waits to be saved. */
	private hasUnsaved = false;

	private listRequests = 0;

	private made = 0;

	/** API keys and tokens, which must not be shown. */
	private readonly secrets: string[] = [];

	constructor(private readonly plan: Plan) {
		this.watch = plan.watch;
	}

	/** Rejects with what is wrong and the steps until then. */
	async run(): Promise<void> {
		const { clients, longList, maxPageLimit, isSingleToken, behavior } = this.plan;
		await clock.run(this.time, async () => {
			this.sandbox = await startSandbox({
				control: false,
				productionClients: 0,
				clients: longList > 0 ? longList : clients.map((newClient) => this.makeClient(newClient)),
				now: () => realNow() + this.time.offsetMs,
				maxPageLimit,
				singleToken: isSingleToken,
				behavior,
				onRequest: () => {
					this.listRequests += 1;
				},
				onAnswer: (_info, { body }) => {
					const { data } = Object(body) as { data?: { access_token?: string } };
					if (data?.access_token) this.track(data.access_token);
				},
			});
			await this.takeSteps()
				.catch((error: Error) => {
					const steps = this.story.map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
					throw new Error([error.message, 'The steps until then:', ...steps].join('\n'));
				})
				.finally(async () => await this.sandbox.close());
			this.secrets.forEach(forgetSecret);
		});
	}

	private track(secret: string): void {
		this.secrets.push(secret);
		trackSecret(secret);
	}

	private async takeSteps(): Promise<void> {
		const { watch, includesExisting, hasDurableCursors } = this.plan;
		const parameters = this.parameters(watch);
		const { url, apiKey } = this.sandbox.environments.sandbox;
		this.apiKey = apiKey;
		this.track(apiKey);
		this.engine = new Engine(sandboxCredential(url, apiKey));
		const settings = Object.entries({
			...watch,
			includesExisting,
			hasDurableCursors,
			quietChanges: this.plan.quietChanges,
		});
		const behaviors = Object.entries(this.plan.behavior);
		this.log(`the behavior of the service: ${behaviors.map(([setting, value]) => `${setting} ${value}`).join('; ')}`);
		this.log(
			`the trigger is activated: ${settings.map(([name, value]) => `${name} ${String(value) || 'any'}`).join('; ')}`,
		);
		this.poller = new Poller(this.engine, parameters, { hasDurableCursors });
		await this.pollAndCheck(async () => await this.poller.activate(), undefined, includesExisting);
		for (const step of this.plan.steps) await this.take(step);
		await this.poll();
		await this.poll();
		await this.emitTheRest();
	}

	private parameters(watch: Watch): INodeParameters {
		const { clientType, requestStatus, maxEvents, rememberNames, ...parameters } = watch;
		const { includesExisting, quietChanges } = this.plan;
		return {
			...parameters,
			filters: { ...(clientType && { clientType }), ...(requestStatus.length > 0 && { requestStatus }) },
			options: { maxEvents, quietChanges, ...(watch.triggerOn.includes('clientRemoved') && { rememberNames }) },
			firstActivation: includesExisting ? 'allExisting' : 'fromNow',
		};
	}

	/** Polls until no event waits because of Max Events. */
	private async emitTheRest(): Promise<void> {
		while ((await this.poll()).length > 0) continue;
	}

	private async take(step: Step): Promise<void> {
		const { clients } = this.sandbox.app.environment('sandbox');
		const idAt = (which: number) => clients.ids()[which % clients.size];
		if (step.action === 'add') clients.add(this.makeClient(step.client));
		else if (step.action === 'poll') await this.poll();
		else if (step.action === 'pollWithFault') await this.pollWithFault(step.fault);
		else if (step.action === 'pollWithoutSome') await this.pollWithoutSome(step.tenths);
		else if (step.action === 'pollForNobody') await this.pollForNobody(step.isKilled);
		else if (step.action === 'pollAcrossSave') await this.pollAcrossSave();
		else if (step.action === 'pollBesides') await this.pollBesides();
		else if (step.action === 'restart') await this.restart(step.which);
		else if (step.action === 'rotateKey') this.rotateKey();
		else if (step.action === 'edit') await this.edit(step.which);
		else if (step.action === 'pollIncomplete') await this.pollIncomplete();
		else if (step.action === 'wait') this.wait(step.days);
		else if (clients.size > 0) {
			this.change(idAt(step.which), step);
		}
	}

	private change(id: string, step: Extract<Step, { action: 'remove' | 'setStatus' | 'update' }>): void {
		const { clients } = this.sandbox.app.environment('sandbox');
		if (step.action === 'remove') {
			this.log(`${id} is removed`);
			clients.remove(id);
		} else if (step.action === 'setStatus') {
			this.log(`${id} becomes ${step.status}`);
			clients.setStatus(id, step.status);
		} else {
			const value = step.field === 'client_type' ? CLIENT_TYPES[step.value % 2] : `${step.field} ${step.value}`;
			this.log(`${step.field} of ${id} is now "${value}"`);
			clients.update(id, { [step.field]: value });
		}
	}

	private async poll(from = this.last): Promise<IDataObject[]> {
		this.log('a poll');
		return await this.pollAndCheck(async () => await this.poller.poll(), from);
	}

	/** Leaves some clients out of the list for one poll, as if a backend had lost them. */
	private async pollWithoutSome(tenths: number): Promise<void> {
		const { clients } = this.sandbox.app.environment('sandbox');
		const lost = clients.ids().filter((_, index) => index % 10 < tenths);
		this.log(`a poll while ${lost.length} clients are not listed: ${lost.slice(0, 5).join(', ')}`);
		const records = lost.map((id) => clients.remove(id));
		await this.pollAndCheck(async () => await this.poller.poll(), this.last);
		for (const record of records) clients.add(record);
	}

	private async pollForNobody(isKilled: boolean): Promise<void> {
		this.log(`a poll that is ${isKilled ? 'killed' : 'thrown away because the workflow is saved'}`);
		await this.poller.pollForNobody();
		this.unconfirmed = this.expected([], this.last)?.unconfirmed ?? this.unconfirmed;
		const known = this.asStored();
		if (!known) return;
		await this.pollAndCheck(async () => await (isKilled ? this.restartProcess() : this.poller.reload()), known);
	}

	private async pollAcrossSave(): Promise<void> {
		const stored = this.stored.at(-1);
		if (this.plan.hasDurableCursors || !stored) return;
		this.log('a poll during which the workflow is saved, in n8n 1.x');
		await this.pollAndCheck(async () => await this.poller.pollAcrossSave(), this.last);
		const { saved } = this.poller;
		if (this.last && saved !== undefined && saved !== stored.text)
			this.stored.push({ ...this.last, text: saved, polls: this.polls });
		// If that poll saved nothing, the workflow goes on from the earlier state.
		if (this.stored.at(-1)?.text === stored.text) this.stored.splice(this.stored.indexOf(stored) + 1);
		await this.pollFromOlderState(async () => await this.poller.poll(), stored);
	}

	private async edit(which: number): Promise<void> {
		const known = this.asStored();
		if (!known) return;
		const event = EVENTS[which % EVENTS.length];
		const { triggerOn } = this.watch;
		const others = triggerOn.filter((chosen) => chosen !== event);
		const chosen = others.length === triggerOn.length ? [...triggerOn, event] : others;
		if (chosen.length === 0) return;
		this.watch = withoutContradictions({ ...this.watch, triggerOn: EVENTS.filter((name) => chosen.includes(name)) });
		this.log(`the workflow is saved with other events: ${this.watch.triggerOn.join(', ')}`);
		await this.pollAndCheck(async () => await this.poller.edit(this.parameters(this.watch)), known);
	}

	private async pollIncomplete(): Promise<void> {
		this.log('a poll while the service reports more clients than it returns');
		this.sandbox.app.setBehavior({ totals: 'too-high' });
		const events = await this.poller.poll();
		this.sandbox.app.setBehavior({ totals: 'numbers' });
		// An empty list need not have a total.
		const isEmpty = [...this.sandbox.app.environment('sandbox').served()].length === 0;
		const isComplete = isEmpty && this.plan.behavior.emptyList !== 'page';
		this.check(events, this.expected(events, this.last, { isComplete }));
	}

	private async pollBesides(): Promise<void> {
		const known = this.asStored();
		if (!known) return;
		this.log('a poll during which the workflow is saved and polled, in n8n 2.x');
		this.sandbox.app.schedule(`latency:ms=${SLOW_MS},times=1`);
		const seen = this.listRequests;
		const slow = this.poller.poll();
		while (this.listRequests === seen) await sleep(1);
		const [besides, events] = await Promise.all([this.poller.reload(), slow]);
		assert.deepEqual(besides, [], 'a poll emits although another one is under way');
		this.sandbox.app.clearFaults();
		const isThrownAway = this.poller.thrownAway.splice(0).length > 0;
		if (!isThrownAway) return this.check(events, this.expected(events, this.last));
		// n8n throws away what that poll emits, and the next one emits it.
		this.unconfirmed = this.expected([], this.last)?.unconfirmed ?? this.unconfirmed;
		this.poller.failures.length = 0;
		await this.poll(known);
	}

	private rotateKey(): void {
		this.apiKey = randomUUID();
		this.track(this.apiKey);
		this.log('the API key is replaced');
		this.sandbox.app.rotateKey('sandbox', this.apiKey);
		this.engine.edit({ apiKey: this.apiKey });
	}

	private wait(days: number): void {
		this.log(`${days} days pass`);
		this.time.offsetMs += days * DAY_MS;
	}

	private async pollWithFault(fault: string): Promise<void> {
		this.log(`a poll while the service has the fault ${fault}`);
		// Every failure is reported, not one an hour.
		this.time.offsetMs += HOUR_MS;
		const memory = this.poller.memory();
		this.sandbox.app.schedule(fault);
		const events = await this.poller.poll();
		this.sandbox.app.clearFaults();
		if (!this.takeOutage()) return this.check(events, this.expected(events, this.last));
		assert.deepEqual(events, []);
		assert.equal(this.poller.memory(), memory, 'a poll that does not succeed changes the state');
	}

	/** Whether the last poll reported that it did not succeed. */
	private takeOutage(): boolean {
		const { failures } = this.poller;
		const isOutage = failures.some(({ message }) => message.includes('Outage since'));
		if (isOutage) failures.length = 0;
		return isOutage;
	}

	/** n8n restarts with the state it stored last or, unless `which` is 0, with an older one. */
	private async restart(which: number): Promise<void> {
		if (this.stored.length === 0) return;
		if (which === 0) {
			this.log('n8n restarts');
			await this.pollAndCheck(async () => await this.restartProcess(), this.asStored());
			return;
		}
		const from = this.stored[which % this.stored.length];
		this.log(`n8n restarts with the state of poll ${from.polls}`);
		await this.pollFromOlderState(async () => await this.restartProcess(from.text), from);
	}

	/** A restart loses what is only in memory. */
	private async restartProcess(text?: string): Promise<IDataObject[]> {
		this.unconfirmed = new Set();
		// The saved state may say that a change waits.
		this.hasUnsaved = true;
		return await this.poller.restart(text);
	}

	/** From an older state: the same events of one client in one poll have the same IDs when they are emitted again. */
	private async pollFromOlderState(
		poll: () => Promise<IDataObject[]>,
		from: Standpoint & { polls: number },
	): Promise<void> {
		// Events since then that started from an even older state do not count.
		const isSameTimeline = this.wentBackAt <= from.polls;
		this.wentBackAt = this.polls + 1;
		this.hasGoneBack = true;
		this.hasUnsaved = true;
		const past = this.emitted.filter(({ poll: number }) => isSameTimeline && number > from.polls);
		const events = await this.pollAndCheck(poll, from);
		for (const id of new Set(events.map(({ reference_id }) => reference_id))) {
			const before = past.filter(({ event }) => event.reference_id === id);
			const again = events.filter(({ reference_id }) => reference_id === id);
			const isOnePoll = new Set(before.map(({ poll: number }) => number)).size === 1;
			const describe = (all: IDataObject[]) => all.map((event) => `${briefly(event)} ${event.request_status}`).join();
			if (!isOnePoll || describe(before.map(({ event }) => event)) !== describe(again)) continue;
			// The values of updated fields may be others than before.
			const isSure = ({ event }: IDataObject) => event !== 'clientUpdated';
			assert.deepEqual(
				again.filter(isSure).map(({ event_id }) => event_id),
				before
					.map(({ event }) => event)
					.filter(isSure)
					.map(({ event_id }) => event_id),
				`an event of ${id} has another event_id than before`,
			);
		}
	}

	/** With `always`, nothing that matters is lost at a restart. Otherwise the trigger goes on from what n8n has saved. */
	private asStored(): Standpoint | undefined {
		const { last, poller } = this;
		const stored = this.stored.at(-1);
		if (!last || !stored || poller.saved === undefined) return undefined;
		const knowledge = this.plan.quietChanges === 'always' ? this.neededOf(last.knowledge, stored) : stored.knowledge;
		return { knowledge, apiKey: stored.apiKey, saved: stored.knowledge };
	}

	/** A new client is saved at once only if one of these events is chosen. */
	private neededOf(knowledge: Knowledge, stored: Standpoint): Knowledge {
		if (this.watch.triggerOn.some((event) => NEEDS_NEW_CLIENTS.includes(event))) return knowledge;
		const saved = [...knowledge.clients].filter(([id]) => stored.knowledge.clients.has(id));
		return { ...knowledge, clients: new Map(saved) };
	}

	private async pollAndCheck(
		poll: () => Promise<IDataObject[]>,
		from: Standpoint | undefined,
		includesExisting = false,
	): Promise<IDataObject[]> {
		let events = await poll();
		// If a refused token looks like another fault, too many tries may be spent on it. The next poll has a new one.
		const mayFail = FAULT_LIKE_REFUSALS.includes(String(this.plan.behavior.tokenRefusal));
		if (mayFail && this.takeOutage()) events = await this.poller.poll();
		this.check(events, this.expected(events, from, { includesExisting }));
		return events;
	}

	private check(events: IDataObject[], expected: (Expected & { isReset: boolean }) | undefined): void {
		this.polls += 1;
		const { failures } = this.poller;
		if (!expected) {
			// A changed key under which no client is listed decides nothing.
			assert.deepEqual([events, failures], [[], []]);
			return;
		}
		const { knowledge, hasChangeToSave, isReset, unconfirmed } = expected;
		// A client that is in the new baseline may have been emitted before.
		this.hasGoneBack ||= isReset;
		const emitted = events.map(briefly).sort();
		const happened = expected.events.sort();
		assert.deepEqual(
			emitted,
			happened,
			`emitted: ${emitted.join(', ') || 'nothing'}; happened: ${happened.join(', ') || 'nothing'}`,
		);
		const past = this.hasGoneBack ? [] : this.emitted.map(({ event }) => event);
		const ids = [...past, ...events].map(({ event_id }) => event_id);
		assert.equal(new Set(ids).size, ids.length, 'two events share an event_id');
		const reported = failures.splice(0).map(({ message }) => message);
		assert.equal(reported.length, isReset ? 1 : 0, `a reset is reported once, and nothing else: ${reported.join()}`);
		const isChangeWaiting = this.hasUnsaved || hasChangeToSave;
		const hasEmptyExecution = this.poller.emptyExecutions > 0;
		assert.ok(!hasEmptyExecution || isReset || isChangeWaiting, 'an execution without items for nothing');
		this.poller.emptyExecutions = 0;
		// The trigger cannot see that n8n has saved its state without an execution.
		this.hasUnsaved = isChangeWaiting && events.length === 0 && !hasEmptyExecution && !isReset;
		this.unconfirmed = unconfirmed;
		this.last = { knowledge, apiKey: this.apiKey };
		this.emitted.push(...events.map((event) => ({ event, poll: this.polls })));
		const { saved } = this.poller;
		// If n8n saved nothing, the saved state belongs to an earlier poll.
		if (saved !== undefined && saved === this.poller.memory())
			this.stored.push({ ...this.last, text: saved, polls: this.polls });
	}

	/** Undefined if nothing can be decided: the key was changed, and no client is listed. */
	private expected(
		events: IDataObject[],
		from: Standpoint | undefined,
		{ includesExisting = false, isComplete = true } = {},
	): (Expected & { isReset: boolean }) | undefined {
		const served = [...this.sandbox.app.environment('sandbox').served()];
		const hasOtherKey = from !== undefined && from.apiKey !== this.apiKey;
		if (hasOtherKey && served.length === 0) return undefined;
		const { clients } = from?.saved ?? from?.knowledge ?? { clients: new Map<string, unknown>() };
		const isReset = hasOtherKey && !served.some(({ reference_id: id }) => clients.has(id));
		const emitted = new Set(events.map(({ reference_id }) => reference_id));
		// A list that is read exactly because of another key shows no absence yet.
		const circumstances = {
			includesExisting,
			isComplete: isComplete && !hasOtherKey,
			unconfirmed: this.unconfirmed,
			emitted,
		};
		const before = isReset ? undefined : from?.knowledge;
		return { ...expectEvents(this.watch, served, before, circumstances), isReset };
	}

	private makeClient({ type, status, ageDays }: NewClient): Client {
		this.made += 1;
		const name = `client-${this.made}`;
		// In a long list, a client with an earlier creation date than others may be emitted a day later.
		const age = this.plan.longList > 0 ? 0 : ageDays;
		this.log(`${name} is added: ${type}, ${status}, ${age === 0 ? 'created now' : `created ${age} days ago`}`);
		return {
			reference_id: name,
			email: `${name}@example.com`,
			client_name: name,
			client_type: type,
			group_name: 'Group',
			group_token: 'group',
			request_status: status,
			client_status: 'active',
			// No two clients have the same creation date, so that their order is certain.
			created_at: new Date(Date.now() - age * DAY_MS - 1_000 + this.made).toISOString(),
		};
	}

	private log(line: string): void {
		this.story.push(line);
	}
}

/** Leaves out the previous status except for Request Status Changed: after a restart, other events may not have it. */
function briefly({ event, reference_id, previous_request_status, changed_fields = [] }: IDataObject): string {
	const changed = (changed_fields as string[]).join('+');
	const previous = event === 'requestStatusChanged' ? previous_request_status : undefined;
	return [event, reference_id, previous, changed].filter(Boolean).join(' ');
}
