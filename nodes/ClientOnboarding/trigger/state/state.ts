import type { IDataObject } from 'n8n-workflow';
import type { Order } from '../../list/newest';
import type { Condition } from '../conditions';
import type { EventName } from '../events';
import type { Key } from '../marks';

/** How much executions that told nothing have taken of n8n's database, of which a day's worth is forgotten in a day. */
export interface Spent extends IDataObject {
	atMs: number;
	bytes: number;
}

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
	/** When the first look was, if it may have overlooked some and no other look came after it. */
	unsureSinceMs?: number;
	/** How the whole list was sorted when it was last read. */
	sorted?: { order: Order; atMs: number };
	/** What executions that told nothing have taken of n8n's database. */
	spent?: Spent;
	/** Something was learnt that n8n has not stored yet. */
	isUnstored?: boolean;
	/** The first version of this package that reads this state. */
	needs?: string;
}
