import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Client } from '../../sandbox/data/client.mts';
import { Poller } from '../support/poller.mts';
import { startService, type Service } from '../support/service.mts';

/** A node as n8n saves it. */
export interface SavedNode {
	name: string;
	type: string;
	parameters: INodeParameters;
}

/** What a version saved, what it remembered, and what came of it then. */
export interface Saved {
	workflow: { nodes: SavedNode[]; staticData?: Record<string, IDataObject> };
	outcomes: Record<string, Outcome>;
}

/** Of a node its items or its error; of a trigger what each poll told. A client as the service sent it is its ID. */
export type Outcome = Array<string | IDataObject> | { error: string } | Told;

export interface Told {
	atFirst: IDataObject[];
	then: IDataObject[][];
	/** Goes on from what was remembered before. */
	later: IDataObject[][];
}

export function clientsOf(folder: string): Client[] {
	return JSON.parse(readFileSync(join(folder, 'clients.json'), 'utf8')) as Client[];
}

export function isTrigger({ type }: SavedNode): boolean {
	return type.endsWith('Trigger');
}

export async function runNode(service: Service, { parameters }: SavedNode, clients: Client[]): Promise<Outcome> {
	const { json, error } = await service.engine.run({ parameters });
	if (error) return { error: error.message };
	const whole = new Map(clients.map((client) => [JSON.stringify(client), client.reference_id]));
	return json.map((item) => whole.get(JSON.stringify(item)) ?? item);
}

/** What happens to the clients of a service. */
export class Life {
	private constructor(
		readonly service: Service,
		private readonly clients: Client[],
	) {}

	static async begin(clients: Client[]): Promise<Life> {
		return new Life(await startService({ clients }), clients);
	}

	goOn(): void {
		const { clients } = this.service.app.environment('sandbox');
		clients.setStatus('ONB-HAL', 'declined');
		clients.setStatus('ONB-CYD', 'completed');
		clients.add(this.another('ONB-JIM', 'Jim Plc', 'company', 'Pending'));
		clients.remove('ONB-BOB');
	}

	goOnLater(): void {
		const { clients } = this.service.app.environment('sandbox');
		clients.setStatus('ONB-ADA', 'completed');
		clients.setStatus('ONB-EVE', 'declined');
		clients.setStatus('ONB-HAL', 'accepted');
		clients.add(this.another('ONB-KIM', 'Kim Kilo', 'individual', 'Pending'));
		clients.add(this.another('ONB-LEE', 'Lee Lima', 'individual', 'Completed'));
		clients.remove('ONB-GUS');
		const fay = clients.remove('ONB-FAY');
		clients.add({ ...fay, client_name: 'Fay King', group_name: 'Partners', group_token: 'g-2' });
	}

	private another(reference_id: string, client_name: string, client_type: string, request_status: string): Client {
		const email = `${reference_id.toLowerCase()}@example.com`;
		return { ...this.clients[0], reference_id, client_name, client_type, request_status, email };
	}
}

/** What a trigger tells at its first look, then, and later; `putAside` is called before the last. */
export async function runTrigger(
	life: Life,
	{ parameters }: SavedNode,
	putAside: (poller: Poller) => void = () => {},
): Promise<Told> {
	const poller = new Poller(life.service.engine, parameters);
	const atFirst = await poller.activate();
	life.goOn();
	const then = await pollAll(poller);
	putAside(poller);
	life.goOnLater();
	return { atFirst, then, later: await pollAll(poller) };
}

/** What each poll tells, until one tells nothing. */
export async function pollAll(poller: Poller): Promise<IDataObject[][]> {
	const events = await poller.poll();
	return events.length > 0 ? [events, ...(await pollAll(poller))] : [];
}
