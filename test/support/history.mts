import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { REQUEST_STATUSES, type Client } from '../../sandbox/client.mts';
import type { Dialect } from '../../sandbox/dialect.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { Engine } from './engine.mts';
import { Poller } from './poller.mts';
import { sandboxCredential } from './service.mts';

const EVENTS = ['clientCreated', 'clientRemoved', 'clientStalled', 'requestStatusChanged'];
const TYPES = ['individual', 'company'];
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
const BLOCK = 65;

/** Lives through `count` histories for each order, or through the one whose number stands in HISTORY. */
export function describeHistories(orders: Array<Dialect['order']>, count: number): void {
	describe.each(orders)('Of a random history of a list in the order "%s", every change is told once', (order) => {
		const only = process.env.HISTORY;
		const blocks = only ? [[Number(only)]] : Array.from({ length: count / BLOCK }, (_, block) => Array.from({ length: BLOCK }, (__, index) => block * BLOCK + index));
		it.each(blocks.map((seeds) => [seeds[0], seeds.at(-1), seeds] as const))('(histories %i to %i)', async (_, __, seeds) => {
			for (const seed of seeds) {
				await new History(seed, order).run().catch((error: Error) => {
					error.message = `History ${seed} of order "${order}" fails. To see it again: HISTORY=${seed} npx jest histories\n${error.message}`;
					throw error;
				});
			}
		});
	});
}

/** A random life of a list, cut into polls at random points: what is told must be what happened, each once. */
class History {
	private readonly random: () => number;

	private readonly watch: Watch;

	private sandbox!: Sandbox;

	private poller!: Poller;

	private known?: Look;

	/** States that n8n has stored, with what was known then. */
	private readonly stored: Array<{ saved: string; known: Look; polls: number }> = [];

	private readonly told: Array<{ event: IDataObject; poll: number }> = [];

	private polls = 0;

	constructor(
		seed: number,
		private readonly order: Dialect['order'],
	) {
		this.random = randomFrom(seed);
		this.watch = {
			triggerOn: EVENTS.filter(() => this.random() < 0.6),
			statusBecomes: this.some(REQUEST_STATUSES, 0.3).map(lower),
			clientType: this.random() < 0.3 ? this.one(TYPES) : undefined,
			requestStatus: this.random() < 0.3 ? this.some(REQUEST_STATUSES, 0.5).map(lower) : [],
			stalledAfterDays: this.one([0, 1, 30]),
			stalledStatuses: ['pending', ...this.some(['requested', 'accepted'], 0.5)],
		};
		if (this.watch.triggerOn.length === 0) this.watch.triggerOn = ['clientCreated'];
	}

	async run(): Promise<void> {
		const count = Math.floor(this.random() * (this.random() < 0.05 ? 300 : 30));
		this.sandbox = await startSandbox({
			control: false,
			productionClients: 0,
			apiKey: 'key-of-histories',
			clients: Array.from({ length: count }, () => this.newClient()),
			dialect: { order: this.order, totals: this.one(['numbers', 'strings', 'zero', 'absent', 'too-high', 'too-low']) },
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
		const includesExisting = this.random() < 0.3;
		const engine = new Engine(sandboxCredential(this.sandbox.environments.sandbox.url, 'key-of-histories'));
		const firstActivation = includesExisting ? 'allExisting' : 'fromNow';
		this.poller = new Poller(engine, { ...parameters, filters, firstActivation }, { hasDurableCursors: this.random() < 0.5 });
		this.check(await this.poller.activate(), this.expected(undefined, includesExisting));
		for (let action = 0; action < ACTIONS; action++) await this.act();
		await this.poll();
		this.check(await this.poller.poll(), this.expected(this.known));
	}

	private async act(): Promise<void> {
		const chance = this.random();
		const { clients } = this.sandbox.app.environment('sandbox');
		const ids = clients.ids();
		if (chance < 0.25) clients.add(this.newClient());
		else if (chance < 0.55 && ids.length > 0) clients.setStatus(this.one(ids), this.one(REQUEST_STATUSES));
		else if (chance < 0.65 && ids.length > 0) clients.remove(this.one(ids));
		else if (chance < 0.8) await this.poll();
		else if (chance < 0.93) await this.pollWithFault();
		else await this.restart();
	}

	private async poll(): Promise<void> {
		this.check(await this.poller.poll(), this.expected(this.known));
	}

	private async pollWithFault(): Promise<void> {
		const memory = this.poller.memory();
		this.sandbox.app.schedule(`${this.one(FAULTS)}`.replace(/(:|$)/, `:skip=${Math.floor(this.random() * 3)},`).replace(/,$/, ''));
		let events: IDataObject[] | undefined;
		try {
			events = await this.poller.poll();
		} catch (error) {
			expect((error as Error).name).toBe('NodeApiError');
			expect(this.poller.memory()).toBe(memory);
		}
		this.sandbox.app.clearFaults();
		if (events) this.check(events, this.expected(this.known));
	}

	/** n8n begins again with a state it had stored at any time. */
	private async restart(): Promise<void> {
		if (this.stored.length === 0) return;
		const from = this.one(this.stored);
		const past = this.told.filter(({ poll }) => poll > from.polls);
		const events = await this.poller.restart(from.saved);
		for (const event of events) {
			const before = past.filter((other) => isSameNews(event, other.event));
			if (before.length > 0) expect(before.map((other) => other.event.event_id)).toContain(event.event_id);
		}
		this.check(events, this.expected(from.known));
	}

	private check(events: IDataObject[], { events: expected, look }: Expected): void {
		this.polls += 1;
		expect(events.map(briefly).sort()).toEqual(expected.sort());
		expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
		this.known = look;
		this.told.push(...events.map((event) => ({ event, poll: this.polls })));
		const { saved } = this.poller;
		// Where n8n stored nothing, as after a quiet poll, the state that is stored belongs to an earlier look.
		if (saved !== undefined && saved === this.poller.memory()) this.stored.push({ saved, known: look, polls: this.polls });
	}

	private expected(known: Look | undefined, includesExisting = false): Expected {
		const events: string[] = [];
		const look: Look = new Map();
		const isTold = (event: string) => this.watch.triggerOn.includes(event) && (known !== undefined || includesExisting);
		for (const client of this.sandbox.app.environment('sandbox').clients.all()) {
			const before = known?.get(client.reference_id);
			const toldStalled = [...(before?.toldStalled ?? [])];
			const status = lower(client.request_status);
			const tell = (event: string, previous?: string) => {
				if (isTold(event) && this.isWanted(client)) events.push([event, client.reference_id, previous].filter(Boolean).join(' '));
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
			if (!look.has(id) && isTold('clientRemoved') && this.isWanted(client)) events.push(`clientRemoved ${client.request_status}`);
		}
		return { events, look };
	}

	private isWanted({ client_type, request_status }: Client): boolean {
		const { clientType, requestStatus } = this.watch;
		return (!clientType || client_type === clientType) && (requestStatus.length === 0 || requestStatus.includes(lower(request_status)));
	}

	private isStalled({ created_at, request_status }: Client): boolean {
		const { stalledAfterDays, stalledStatuses } = this.watch;
		return stalledStatuses.includes(lower(request_status)) && Date.parse(created_at) + stalledAfterDays * DAY_MS <= Date.now();
	}

	/** Created just now or, in a third of the cases, long before others. */
	private newClient(): Client {
		const ageDays = this.random() < 0.3 ? 2 + Math.floor(this.random() * 100) : 0;
		const random = () => Math.floor(this.random() * 2 ** 48).toString(16);
		return {
			reference_id: `${random()}-${random()}`,
			email: `${random()}@example.com`,
			client_name: `Client ${random()}`,
			client_type: this.one(TYPES),
			group_name: 'Group',
			group_token: 'group',
			request_status: this.one(REQUEST_STATUSES),
			client_status: 'active',
			created_at: new Date(Date.now() - ageDays * DAY_MS).toISOString(),
		};
	}

	private one<T>(choices: readonly T[]): T {
		return choices[Math.floor(this.random() * choices.length)];
	}

	private some<T>(choices: readonly T[], chance: number): T[] {
		return choices.filter(() => this.random() < chance);
	}
}

function briefly({ event, reference_id, previous_request_status }: IDataObject): string {
	return [event, reference_id, previous_request_status].filter(Boolean).join(' ');
}

function isSameNews(a: IDataObject, b: IDataObject): boolean {
	return ['event', 'reference_id', 'reference_id_hash', 'request_status'].every((field) => a[field] === b[field]);
}

const lower = (text: string) => text.toLowerCase();

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
