import type { Order } from '../newestFirst';
import type { Condition } from '../conditions';
import type { EventName } from '../events';
import type { Key } from '../marks';
import type { Spent } from './storing';

/** Where a client stands among others: by when it was created and, at the same time, by its mark. */
export type Place = readonly [createdMs: number, mark: number];

/** What a trigger remembers from one poll to the next. */
export interface State {
	/** The environment and address it was read from; empty where version 0.1.0 wrote it. */
	place: string;
	/** The same with the API key. */
	account: string;
	/** The events that were looked for. */
	events: EventName[];
	/** All clients that were ever listed. Of the clients themselves nothing is kept. */
	conditions: Map<Key, Condition>;
	/** Changes all marks. */
	salt: number;
	/** So many more clients did the service speak of than were listed. */
	excess: number;
	/** When the first look was; version 0.2.0 did not write that down. */
	beganMs?: number;
	/** The same, if it may have overlooked some and no other look came after it. */
	unsureSinceMs?: number;
	/** How the whole list was sorted when it was last read. */
	sorted?: { order: Order; atMs: number };
	/** What executions that told nothing have taken of n8n's database. */
	spent?: Spent;
	/** The fields whose fingerprints are remembered. */
	watchedFields?: string[];
	/** When clients count as stalled, and how often it is told. */
	rhythm?: [stalledAfterMs: number, repeatAfterMs: number];
	/** So many clients have to wait until it is told what happened to them. */
	waiting?: number;
	/** Where the last one stands who was told while others had to wait. */
	turn?: Place;
	/** Something was learnt that n8n has not stored yet. */
	isUnstored?: boolean;
	/** The first version of this package that reads this state. */
	needs?: string;
}
