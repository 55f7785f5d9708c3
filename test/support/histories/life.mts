import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { CLIENT_TYPES, type Client } from '../../../sandbox/data/client.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/server.mts';
import { Engine, sandboxCredential } from '../engine.mts';
import { Poller } from '../poller.mts';
import { expectEvents, type Expected, type Look } from './oracle.mts';
import type { Newcomer, Plan, Step } from './plan.mts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SLOW_MS = 40;

/** Each life has a time of its own, also where several are lived at once. */
const clock = new AsyncLocalStorage<{ offsetMs: number }>();
const realNow = Date.now;
Date.now = () => realNow() + (clock.getStore()?.offsetMs ?? 0);

interface Knowledge {
	known: Look;
	/** Whose turn it was last, if others have to wait. */
	turn?: Expected['turn'];
	apiKey: string;
	/** What the trigger's own memory holds, where that is older. */
	remembered?: Look;
}

/** Lives through a plan with a real service and the trigger: what is told must be what happened, each once. */
export class Life {
	/** What happened so far, a line each, for the reader of a failure. */
	readonly story: string[] = [];

	private sandbox!: Sandbox;

	private poller!: Poller;

	private engine!: Engine;

	/** What was known at the last look, and with which API key. */
	private last?: Knowledge;

	/** States that n8n has stored, with what was known then. */
	private readonly stored: Array<Knowledge & { saved: string; polls: number }> = [];

	private apiKey = '';

	private readonly time = { offsetMs: 0 };

	/** The trigger has forgotten what it told before. */
	private hasGoneBack = false;

	private readonly told: Array<{ event: IDataObject; poll: number }> = [];

	private polls = 0;

	private born = 0;

	/** `service` says how the service behaves; the plan says the rest. */
	constructor(
		private readonly plan: Plan,
		private readonly service: SandboxOptions = {},
	) {}

	async run(): Promise<void> {
		await clock.run(this.time, async () => {
			this.sandbox = await startSandbox({
				control: false,
				productionClients: 0,
				clients: this.plan.clients.map((newcomer) => this.birth(newcomer)),
				now: () => realNow() + this.time.offsetMs,
				maxPageLimit: this.plan.maxPageLimit,
				...this.service,
				dialect: { ...this.plan.behaviors, ...this.service.dialect },
			});
			await this.live().finally(async () => await this.sandbox.close());
		});
	}

	private async live(): Promise<void> {
		const { watch, includesExisting, hasDurableCursors } = this.plan;
		const { clientType, requestStatus, maxEvents, rememberNames, ...parameters } = watch;
		const options = { maxEvents, ...(watch.triggerOn.includes('clientRemoved') && { rememberNames }) };
		const filters = { ...(clientType && { clientType }), ...(requestStatus.length > 0 && { requestStatus }) };
		const firstActivation = includesExisting ? 'allExisting' : 'fromNow';
		const { url, apiKey } = this.sandbox.environments.sandbox;
		this.apiKey = apiKey;
		this.engine = new Engine(sandboxCredential(url, apiKey));
		const settings = Object.entries({ ...parameters, ...filters, ...options, firstActivation, hasDurableCursors });
		const behaviors = Object.entries({ ...this.plan.behaviors, ...this.service.dialect });
		this.tell(`the service behaves so: ${behaviors.map(([axis, value]) => `${axis} ${value}`).join('; ')}`);
		this.tell(
			`the trigger is activated: ${settings.map(([name, value]) => `${name} ${String(value) || 'any'}`).join('; ')}`,
		);
		this.poller = new Poller(this.engine, { ...parameters, filters, options, firstActivation }, { hasDurableCursors });
		await this.look(async () => await this.poller.activate(), undefined, includesExisting);
		for (const step of this.plan.steps) await this.take(step);
		await this.poll();
		await this.poll();
		await this.tellTheRest();
	}

	/** Whoever waits gets a turn, and then nothing is left to tell. */
	private async tellTheRest(): Promise<void> {
		while ((await this.poll()).length > 0) continue;
	}

	private async take(step: Step): Promise<void> {
		const { clients } = this.sandbox.app.environment('sandbox');
		const idAt = (which: number) => clients.ids()[which % clients.size];
		if (step.action === 'add') clients.add(this.birth(step.client));
		else if (step.action === 'poll') await this.poll();
		else if (step.action === 'pollWithFault') await this.pollWithFault(step.fault);
		else if (step.action === 'pollWithoutSome') await this.pollWithoutSome(step.tenths);
		else if (step.action === 'pollForNobody') await this.pollForNobody(step.isKilled);
		else if (step.action === 'pollAcrossSave') await this.pollAcrossSave();
		else if (step.action === 'pollBesides') await this.pollBesides();
		else if (step.action === 'restart') await this.restart(step.which);
		else if (step.action === 'rotateKey') this.rotateKey();
		else if (step.action === 'wait') this.wait(step.days);
		else if (clients.size > 0) {
			this.change(idAt(step.which), step);
		}
	}

	private change(id: string, step: Extract<Step, { action: 'remove' | 'setStatus' | 'update' }>): void {
		const { clients } = this.sandbox.app.environment('sandbox');
		if (step.action === 'remove') {
			this.tell(`${id} is removed`);
			clients.remove(id);
		} else if (step.action === 'setStatus') {
			this.tell(`${id} becomes ${step.status}`);
			clients.setStatus(id, step.status);
		} else {
			const value = step.field === 'client_type' ? CLIENT_TYPES[step.value % 2] : `${step.field} ${step.value}`;
			this.tell(`${step.field} of ${id} is now "${value}"`);
			clients.update(id, { [step.field]: value });
		}
	}

	private async poll(): Promise<IDataObject[]> {
		this.tell('a poll');
		return await this.look(async () => await this.poller.poll(), this.last);
	}

	/** Some are not listed for a while, as if a backend had lost them. */
	private async pollWithoutSome(tenths: number): Promise<void> {
		const { clients } = this.sandbox.app.environment('sandbox');
		const lost = clients.ids().filter((_, index) => index % 10 < tenths);
		this.tell(`a poll while ${lost.length} clients are not listed: ${lost.slice(0, 5).join(', ')}`);
		const records = lost.map((id) => clients.remove(id));
		await this.look(async () => await this.poller.poll(), this.last);
		for (const record of records) clients.add(record);
	}

	private async pollForNobody(isKilled: boolean): Promise<void> {
		this.tell(`a poll that is ${isKilled ? 'killed' : 'thrown away because the workflow is saved'}`);
		await this.poller.pollForNobody();
		const known = this.asStored();
		if (!known) return;
		await this.look(async () => await (isKilled ? this.poller.restart() : this.poller.reload()), known);
	}

	private async pollAcrossSave(): Promise<void> {
		const stored = this.stored.at(-1);
		if (this.plan.hasDurableCursors || !stored) return;
		this.tell('a poll during which the workflow is saved, in n8n 1.x');
		const poll = async () => await this.poller.pollAcrossSave();
		const pollAgain = async (error: Error) => {
			if (this.mayHesitate(error, this.last)) return await poll();
			throw error;
		};
		await this.look(async () => await poll().catch(pollAgain), this.last);
		await this.lookAgain(async () => await this.poller.poll(), stored);
	}

	private async pollBesides(): Promise<void> {
		const known = this.asStored();
		if (!known) return;
		this.tell('a poll during which the workflow is saved and polled, in n8n 2.x');
		this.sandbox.app.schedule(`latency:ms=${SLOW_MS},times=1`);
		await this.look(async () => {
			const slow = this.poller.poll();
			await sleep(SLOW_MS / 4);
			const polls = await Promise.allSettled([this.poller.reload(), slow]);
			const told = polls.flatMap((poll) => {
				if (poll.status === 'rejected') throw poll.reason;
				return poll.value;
			});
			// Where n8n threw away what was told, the next poll tells it.
			return told.length > 0 ? told : await this.poller.poll();
		}, known);
		this.sandbox.app.clearFaults();
	}

	private rotateKey(): void {
		this.apiKey = randomUUID();
		this.tell('the API key is another one');
		this.sandbox.app.rotateKey('sandbox', this.apiKey);
		this.engine.edit({ apiKey: this.apiKey });
	}

	private wait(days: number): void {
		this.tell(`${days} days pass`);
		this.time.offsetMs += days * DAY_MS;
	}

	private async pollWithFault(fault: string): Promise<void> {
		this.tell(`a poll while the service answers with ${fault}`);
		const memory = this.poller.memory();
		this.sandbox.app.schedule(fault);
		let events: IDataObject[] | undefined;
		try {
			events = await this.poller.poll();
		} catch (error) {
			const { name, message } = error as Error;
			const mayHesitate = this.mayHesitate(error as Error, this.last);
			assert.ok(name === 'NodeApiError' || (mayHesitate && name === 'NodeOperationError'), message);
			assert.equal(this.poller.memory(), memory);
		}
		this.sandbox.app.clearFaults();
		if (events) this.check(events, this.expected(events, this.last));
	}

	/** n8n begins again with the state it stored last, of which nothing may be missing, or with an older one. */
	private async restart(which: number): Promise<void> {
		if (this.stored.length === 0) return;
		if (which === 0) {
			this.tell('n8n starts again');
			await this.look(async () => await this.poller.restart(), this.asStored());
			return;
		}
		const from = this.stored[which % this.stored.length];
		this.tell(`n8n starts again with what it had stored at look ${from.polls}`);
		await this.lookAgain(async () => await this.poller.restart(from.saved), from);
	}

	/** From a state of the past: what was told since then may be told again, with the same event_id. */
	private async lookAgain(poll: () => Promise<IDataObject[]>, from: Knowledge & { polls: number }): Promise<void> {
		this.hasGoneBack = true;
		const past = this.told.filter(({ poll: number }) => number > from.polls);
		for (const event of await this.look(poll, from)) {
			const before = past.filter((other) => isSameNews(event, other.event));
			if (before.length > 0)
				assert.ok(
					before.some((other) => other.event.event_id === event.event_id),
					`${briefly(event)} has another event_id than before`,
				);
		}
	}

	/** What is known is what is stored, but for those whose absence is not believed yet. */
	private asStored(): Knowledge | undefined {
		const { last, poller } = this;
		const stored = this.stored.at(-1);
		if (!last || !stored || poller.saved === undefined) return undefined;
		const known: Look = new Map(
			[...last.known].map(([id, acquaintance]) => {
				const presence = acquaintance.presence === 'missing' ? stored.known.get(id)?.presence : acquaintance.presence;
				return [id, { ...acquaintance, presence: presence ?? 'there' }];
			}),
		);
		return { known, turn: stored.turn, apiKey: stored.apiKey, remembered: stored.known };
	}

	private async look(
		poll: () => Promise<IDataObject[]>,
		from: Knowledge | undefined,
		includesExisting?: boolean,
	): Promise<IDataObject[]> {
		const events = await poll().catch(async (error: Error) => {
			if (!this.mayHesitate(error, from)) throw error;
			return await this.poller.poll();
		});
		this.check(events, this.expected(events, from, includesExisting));
		return events;
	}

	private check(
		events: IDataObject[],
		{ events: expected, look, hasLearnt, turn, isAnew }: Expected & { isAnew: boolean },
	): void {
		this.polls += 1;
		// Who is new to it then may have been told before.
		this.hasGoneBack ||= isAnew;
		const told = events.map(briefly).sort();
		const happened = expected.sort();
		assert.deepEqual(
			told,
			happened,
			`told: ${told.join(', ') || 'nothing'}; happened: ${happened.join(', ') || 'nothing'}`,
		);
		const ids = [...(this.hasGoneBack ? [] : this.told.map(({ event }) => event)), ...events].map(
			({ event_id }) => event_id,
		);
		assert.equal(new Set(ids).size, ids.length, 'two events share an event_id');
		const { saved, failures } = this.poller;
		assert.equal(failures.splice(0).length, isAnew ? 1 : 0, 'another account has to be told of once, and nothing else');
		assert.ok(this.poller.emptyExecutions === 0 || hasLearnt || isAnew, 'an execution without items for nothing');
		this.poller.emptyExecutions = 0;
		this.last = { known: look, turn, apiKey: this.apiKey };
		this.told.push(...events.map((event) => ({ event, poll: this.polls })));
		// Where n8n stored nothing, as after a quiet poll, the state that is stored belongs to an earlier look.
		if (saved !== undefined && saved === this.poller.memory())
			this.stored.push({ ...this.last, saved, polls: this.polls });
	}

	private expected(
		events: IDataObject[],
		from: Knowledge | undefined,
		includesExisting = false,
	): Expected & { isAnew: boolean } {
		const served = [...this.sandbox.app.environment('sandbox').served()];
		const isAnew =
			from !== undefined && from.apiKey !== this.apiKey && isStrange(served, from.remembered ?? from.known);
		const told = new Set(events.map(({ reference_id }) => reference_id));
		const known = isAnew ? undefined : from?.known;
		const turn = isAnew ? undefined : from?.turn;
		return { ...expectEvents(this.plan.watch, served, known, turn, includesExisting, told), isAnew };
	}

	/** Whose list is empty now is not clear where the key is another one, once. */
	private mayHesitate({ message }: Error, from: Knowledge | undefined): boolean {
		const isEmpty = [...this.sandbox.app.environment('sandbox').served()].length === 0;
		const isHesitant = message === 'The credential was changed, and nobody is listed with it';
		return isHesitant && isEmpty && from !== undefined && from.apiKey !== this.apiKey;
	}

	private birth({ type, status, ageDays }: Newcomer): Client {
		this.born += 1;
		const name = `client-${this.born}`;
		// One that is created before others in a long list may be told a day later.
		const isLong = typeof this.service.clients === 'number';
		const age = isLong ? 0 : ageDays;
		this.tell(`${name} comes: ${type}, ${status}, ${age === 0 ? 'created now' : `created ${age} days ago`}`);
		return {
			reference_id: name,
			email: `${name}@example.com`,
			client_name: name,
			client_type: type,
			group_name: 'Group',
			group_token: 'group',
			request_status: status,
			client_status: 'active',
			// Each at a time of its own, so that it is clear who is the oldest.
			created_at: new Date(Date.now() - age * DAY_MS - 1_000 + this.born).toISOString(),
		};
	}

	private tell(line: string): void {
		this.story.push(line);
	}
}

/** Hardly anybody who is known is listed, or hardly anybody who is listed is known, so that another API key is that of another account. */
function isStrange(served: Client[], known: Look): boolean {
	const remaining = [...known.values()].filter(({ presence }) => presence !== 'gone').length;
	const recognised = served.filter(({ reference_id: id }) => known.has(id)).length;
	const strangers = served.length - recognised;
	return recognised * 10 < remaining || (strangers >= 10 && recognised * 10 < served.length);
}

function briefly({ event, reference_id, previous_request_status, changed_fields = [] }: IDataObject): string {
	const changed = (changed_fields as string[]).join('+');
	return [event, reference_id, previous_request_status, changed].filter(Boolean).join(' ');
}

function isSameNews(a: IDataObject, b: IDataObject): boolean {
	const fields = ['event', 'reference_id', 'reference_id_hash', 'request_status', 'days_in_status'];
	return fields.every((field) => a[field] === b[field]) && String(a.changed_fields) === String(b.changed_fields);
}
