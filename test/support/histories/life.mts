import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../sandbox/data/client.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/server.mts';
import { Engine, sandboxCredential } from '../engine.mts';
import { Poller } from '../poller.mts';
import { expectEvents, type Expected, type Look } from './oracle.mts';
import type { Newcomer, Plan, Step } from './plan.mts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lives through a plan with a real service and the trigger: what is told must be what happened, each once. */
export class Life {
	/** What happened so far, a line each, for the reader of a failure. */
	readonly story: string[] = [];

	private sandbox!: Sandbox;

	private poller!: Poller;

	private known?: Look;

	/** States that n8n has stored, with what was known then. */
	private readonly stored: Array<{ saved: string; known: Look; polls: number }> = [];

	private readonly told: Array<{ event: IDataObject; poll: number }> = [];

	private polls = 0;

	private born = 0;

	/** `service` says how the service reads its specification. */
	constructor(
		private readonly plan: Plan,
		private readonly service: SandboxOptions = {},
	) {}

	async run(): Promise<void> {
		this.sandbox = await startSandbox({
			control: false,
			productionClients: 0,
			clients: this.plan.clients.map((newcomer) => this.birth(newcomer)),
			...this.service,
			dialect: { totals: this.plan.totals, ...this.service.dialect },
		});
		try {
			await this.live();
		} finally {
			await this.sandbox.close();
		}
	}

	private async live(): Promise<void> {
		const { watch, includesExisting, hasDurableCursors } = this.plan;
		const { clientType, requestStatus, ...parameters } = watch;
		const filters = { ...(clientType && { clientType }), ...(requestStatus.length > 0 && { requestStatus }) };
		const firstActivation = includesExisting ? 'allExisting' : 'fromNow';
		const { url, apiKey } = this.sandbox.environments.sandbox;
		const engine = new Engine(sandboxCredential(url, apiKey));
		const settings = Object.entries({ ...parameters, ...filters, firstActivation, hasDurableCursors });
		this.tell(
			`the trigger is activated: ${settings.map(([name, value]) => `${name} ${String(value) || 'any'}`).join('; ')}`,
		);
		this.poller = new Poller(engine, { ...parameters, filters, firstActivation }, { hasDurableCursors });
		this.check(await this.poller.activate(), this.expected(undefined, includesExisting));
		for (const step of this.plan.steps) await this.take(step);
		await this.poll();
		await this.poll();
	}

	private async take(step: Step): Promise<void> {
		const { clients } = this.sandbox.app.environment('sandbox');
		const idAt = (which: number) => clients.ids()[which % clients.size];
		if (step.action === 'add') clients.add(this.birth(step.client));
		else if (step.action === 'poll') await this.poll();
		else if (step.action === 'pollWithFault') await this.pollWithFault(step.fault);
		else if (step.action === 'restart') await this.restart(step.which);
		else if (clients.size > 0) {
			const id = idAt(step.which);
			const isRemoval = step.action === 'remove';
			this.tell(isRemoval ? `${id} is removed` : `${id} becomes ${step.status}`);
			if (isRemoval) clients.remove(id);
			else clients.setStatus(id, step.status);
		}
	}

	private async poll(): Promise<void> {
		this.tell('a poll');
		this.check(await this.poller.poll(), this.expected(this.known));
	}

	private async pollWithFault(fault: string): Promise<void> {
		this.tell(`a poll while the service answers with ${fault}`);
		const memory = this.poller.memory();
		this.sandbox.app.schedule(fault);
		let events: IDataObject[] | undefined;
		try {
			events = await this.poller.poll();
		} catch (error) {
			// Asked for smaller pages, a list in several orders never comes to rest.
			const isMoving =
				['shuffled', 'by-page'].includes(String(this.service.dialect?.order)) &&
				/kept changing|also when asked again/.test((error as Error).message);
			assert.equal((error as Error).name, isMoving ? 'NodeOperationError' : 'NodeApiError');
			assert.equal(this.poller.memory(), memory);
		}
		this.sandbox.app.clearFaults();
		if (events) this.check(events, this.expected(this.known));
	}

	/** n8n begins again with a state it had stored at any time. */
	private async restart(which: number): Promise<void> {
		if (this.stored.length === 0) return;
		const from = this.stored[which % this.stored.length];
		this.tell(`n8n starts again with what it had stored at look ${from.polls}`);
		const past = this.told.filter(({ poll }) => poll > from.polls);
		const events = await this.poller.restart(from.saved);
		for (const event of events) {
			const before = past.filter((other) => isSameNews(event, other.event));
			if (before.length > 0)
				assert.ok(
					before.some((other) => other.event.event_id === event.event_id),
					`${briefly(event)} has another event_id than before`,
				);
		}
		this.check(events, this.expected(from.known));
	}

	private check(events: IDataObject[], { events: expected, look }: Expected): void {
		this.polls += 1;
		const told = events.map(briefly).sort();
		const happened = expected.sort();
		assert.deepEqual(
			told,
			happened,
			`told: ${told.join(', ') || 'nothing'}; happened: ${happened.join(', ') || 'nothing'}`,
		);
		assert.equal(new Set(events.map(({ event_id }) => event_id)).size, events.length, 'two events share an event_id');
		this.known = look;
		this.told.push(...events.map((event) => ({ event, poll: this.polls })));
		const { saved } = this.poller;
		// Where n8n stored nothing, as after a quiet poll, the state that is stored belongs to an earlier look.
		if (saved !== undefined && saved === this.poller.memory())
			this.stored.push({ saved, known: look, polls: this.polls });
	}

	private expected(known: Look | undefined, includesExisting?: boolean): Expected {
		return expectEvents(this.plan.watch, this.sandbox.app.environment('sandbox').served(), known, includesExisting);
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
			created_at: new Date(Date.now() - age * DAY_MS).toISOString(),
		};
	}

	private tell(line: string): void {
		this.story.push(line);
	}
}

function briefly({ event, reference_id, previous_request_status }: IDataObject): string {
	return [event, reference_id, previous_request_status].filter(Boolean).join(' ');
}

function isSameNews(a: IDataObject, b: IDataObject): boolean {
	return ['event', 'reference_id', 'reference_id_hash', 'request_status'].every((field) => a[field] === b[field]);
}
