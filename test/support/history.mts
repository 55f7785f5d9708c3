import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { CLIENT_TYPES, REQUEST_STATUSES, type Client } from '../../sandbox/data/client.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { Engine, sandboxCredential } from './engine.mts';
import { Poller } from './poller.mts';
import { Random } from './random.mts';

const EVENTS = ['clientCreated', 'clientRemoved', 'clientStalled', 'requestStatusChanged'];
const DAY_MS = 24 * 60 * 60 * 1000;
/** Some pass after a try or two, some stay; which one it is must not matter. */
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
	'redirect',
	'rate-limit-seconds:seconds=0,endpoint=token,times=2',
];

/** What a reader of the whole list knows after a look, written down independently of the product. */
type Look = Map<string, { client: Client; toldStalled: string[] }>;

interface Watch {
	triggerOn: string[];
	statusBecomes: string[];
	clientType?: string;
	requestStatus: string[];
	stalledAfterDays: number;
	stalledStatuses: string[];
}

interface Expected {
	events: string[];
	look: Look;
}

const ACTIONS = 14;

/** A random life of a list, cut into polls at random points: what is told must be what happened, each once. */
export class History {
	private readonly random: Random;

	private readonly watch: Watch;

	private sandbox!: Sandbox;

	private poller!: Poller;

	private known?: Look;

	/** States that n8n has stored, with what was known then. */
	private readonly stored: Array<{ saved: string; known: Look; polls: number }> = [];

	private readonly told: Array<{ event: IDataObject; poll: number }> = [];

	private polls = 0;

	/** `service` says how the service reads its specification; which events are looked for is chance where it is not given. */
	constructor(
		seed: number,
		private readonly service: SandboxOptions = {},
		triggerOn?: string[],
	) {
		this.random = new Random(seed);
		this.watch = {
			triggerOn: triggerOn ?? this.random.some(EVENTS, 0.6),
			statusBecomes: this.random.some(REQUEST_STATUSES, 0.3).map(lower),
			clientType: this.random.chance(0.3) ? this.random.one(CLIENT_TYPES) : undefined,
			requestStatus: this.random.chance(0.3) ? this.random.some(REQUEST_STATUSES, 0.5).map(lower) : [],
			stalledAfterDays: this.random.one([0, 1, 30]),
			stalledStatuses: ['pending', ...this.random.some(['requested', 'accepted'], 0.5)],
		};
		if (this.watch.triggerOn.length === 0) this.watch.triggerOn = ['clientCreated'];
	}

	async run(): Promise<void> {
		const count = this.random.below(this.random.chance(0.05) ? 300 : 30);
		this.sandbox = await startSandbox({
			control: false,
			productionClients: 0,
			clients: Array.from({ length: count }, () => this.newClient()),
			...this.service,
		});
		try {
			await this.live();
		} finally {
			await this.sandbox.close();
		}
	}

	private async live(): Promise<void> {
		const { clientType, requestStatus, ...parameters } = this.watch;
		const filters = { ...(clientType && { clientType }), ...(requestStatus.length > 0 && { requestStatus }) };
		const includesExisting = this.random.chance(0.3);
		const { url, apiKey } = this.sandbox.environments.sandbox;
		const engine = new Engine(sandboxCredential(url, apiKey));
		const firstActivation = includesExisting ? 'allExisting' : 'fromNow';
		this.poller = new Poller(
			engine,
			{ ...parameters, filters, firstActivation },
			{ hasDurableCursors: this.random.chance(0.5) },
		);
		this.check(await this.poller.activate(), this.expected(undefined, includesExisting));
		for (let action = 0; action < ACTIONS; action++) await this.act();
		await this.poll();
		this.check(await this.poller.poll(), this.expected(this.known));
	}

	private async act(): Promise<void> {
		const chance = this.random.next();
		const { clients } = this.sandbox.app.environment('sandbox');
		const ids = clients.ids();
		if (chance < 0.25) clients.add(this.newClient());
		else if (chance < 0.55 && ids.length > 0)
			clients.setStatus(this.random.one(ids), this.random.one(REQUEST_STATUSES));
		else if (chance < 0.65 && ids.length > 0) clients.remove(this.random.one(ids));
		else if (chance < 0.8) await this.poll();
		else if (chance < 0.93) await this.pollWithFault();
		else await this.restart();
	}

	private async poll(): Promise<void> {
		this.check(await this.poller.poll(), this.expected(this.known));
	}

	private async pollWithFault(): Promise<void> {
		const memory = this.poller.memory();
		this.sandbox.app.schedule(
			`${this.random.one(FAULTS)}`.replace(/(:|$)/, `:skip=${this.random.below(3)},`).replace(/,$/, ''),
		);
		let events: IDataObject[] | undefined;
		try {
			events = await this.poller.poll();
		} catch (error) {
			// Asked for smaller pages, a list in a new order every time never comes to rest.
			const isMoving =
				this.service.dialect?.order === 'shuffled' &&
				/kept changing|also when asked again/.test((error as Error).message);
			assert.equal((error as Error).name, isMoving ? 'NodeOperationError' : 'NodeApiError');
			assert.equal(this.poller.memory(), memory);
		}
		this.sandbox.app.clearFaults();
		if (events) this.check(events, this.expected(this.known));
	}

	/** n8n begins again with a state it had stored at any time. */
	private async restart(): Promise<void> {
		if (this.stored.length === 0) return;
		const from = this.random.one(this.stored);
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
		assert.deepEqual(events.map(briefly).sort(), expected.sort());
		assert.equal(new Set(events.map(({ event_id }) => event_id)).size, events.length, 'two events share an event_id');
		this.known = look;
		this.told.push(...events.map((event) => ({ event, poll: this.polls })));
		const { saved } = this.poller;
		// Where n8n stored nothing, as after a quiet poll, the state that is stored belongs to an earlier look.
		if (saved !== undefined && saved === this.poller.memory())
			this.stored.push({ saved, known: look, polls: this.polls });
	}

	private expected(known: Look | undefined, includesExisting = false): Expected {
		const events: string[] = [];
		const look: Look = new Map();
		const isTold = (event: string) => this.watch.triggerOn.includes(event) && (known !== undefined || includesExisting);
		for (const client of this.sandbox.app.environment('sandbox').served()) {
			const before = known?.get(client.reference_id);
			const toldStalled = [...(before?.toldStalled ?? [])];
			const status = lower(client.request_status);
			const tell = (event: string, previous?: string) => {
				if (isTold(event) && this.isWanted(client))
					events.push([event, client.reference_id, previous].filter(Boolean).join(' '));
			};
			if (!before) tell('clientCreated');
			const isWantedChange = this.watch.statusBecomes.length === 0 || this.watch.statusBecomes.includes(status);
			if (before && before.client.request_status !== client.request_status && isWantedChange) {
				tell('requestStatusChanged', before.client.request_status);
			}
			if (this.watch.triggerOn.includes('clientStalled') && this.isStalled(client) && !toldStalled.includes(status)) {
				tell('clientStalled');
				toldStalled.push(status);
			}
			look.set(client.reference_id, { client: { ...client }, toldStalled });
		}
		for (const [id, { client }] of known ?? []) {
			if (!look.has(id) && isTold('clientRemoved') && this.isWanted(client))
				events.push(`clientRemoved ${client.request_status}`);
		}
		return { events, look };
	}

	private isWanted({ client_type, request_status }: Client): boolean {
		const { clientType, requestStatus } = this.watch;
		return (
			(!clientType || client_type === clientType) &&
			(requestStatus.length === 0 || requestStatus.includes(lower(request_status)))
		);
	}

	private isStalled({ created_at, request_status }: Client): boolean {
		const { stalledAfterDays, stalledStatuses } = this.watch;
		return (
			stalledStatuses.includes(lower(request_status)) &&
			Date.parse(created_at) + stalledAfterDays * DAY_MS <= Date.now()
		);
	}

	/** Created just now or, in a third of the cases, long before others; but of a long list that may be told a day later. */
	private newClient(): Client {
		const isLong = typeof this.service.clients === 'number';
		const ageDays = !isLong && this.random.chance(0.3) ? 2 + this.random.below(100) : 0;
		const random = () => this.random.below(2 ** 48).toString(16);
		return {
			reference_id: `${random()}-${random()}`,
			email: `${random()}@example.com`,
			client_name: `Client ${random()}`,
			client_type: this.random.one(CLIENT_TYPES),
			group_name: 'Group',
			group_token: 'group',
			request_status: this.random.one(REQUEST_STATUSES),
			client_status: 'active',
			created_at: new Date(Date.now() - ageDays * DAY_MS).toISOString(),
		};
	}
}

function briefly({ event, reference_id, previous_request_status }: IDataObject): string {
	return [event, reference_id, previous_request_status].filter(Boolean).join(' ');
}

function isSameNews(a: IDataObject, b: IDataObject): boolean {
	return ['event', 'reference_id', 'reference_id_hash', 'request_status'].every((field) => a[field] === b[field]);
}

const lower = (text: string) => text.toLowerCase();
