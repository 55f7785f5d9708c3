import { randomBytes } from 'node:crypto';
import type { Client } from '../data/client.mts';
import { readChanges, readClient, readNumber, readReferenceIds } from './clientInput.mts';
import { listGroups, lookUp, TABLE_PARAMETERS } from './clientTable.mts';
import { NotFound, readJson, type Call, type Route, type Steered } from './route.mts';

const MOST_AT_ONCE = 1_000;

const clientsOf = ({ app }: Steered, { environment }: Call) => app.environment(environment).clients;

function demandClients(steered: Steered, call: Call, ids: string[]) {
	const clients = clientsOf(steered, call);
	const missing = ids.find((id) => !clients.get(id));
	if (missing === undefined) return clients;
	throw new NotFound(`No client of the ${call.environment} environment has the reference_id "${missing}".`);
}

/** Not one that an earlier start gave away: whoever remembers it, such as a trigger, would take it for the same client. */
const newReferenceId = () => `ONB-${randomBytes(4).toString('hex').toUpperCase()}`;

function addClients(steered: Steered, call: Call): Client | Client[] {
	const fields = readClient(call.body.trim() === '' ? {} : readJson(call.body));
	const add = () => clientsOf(steered, call).add({ reference_id: newReferenceId(), ...fields });
	const count = call.parameters.get('count');
	if (count === null) return add();
	const length = readNumber('count', count, 1, MOST_AT_ONCE);
	if (fields.reference_id !== undefined && length > 1) throw new Error('Several clients cannot have one reference_id.');
	return Array.from({ length }, add);
}

export const clientRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/clients',
		help: 'a page of them: ?search=ada&request_status=pending&client_type=company&group_name=Retail&sort=newest&page=1&page_size=25',
		parameters: TABLE_PARAMETERS,
		act: (steered, call) => lookUp(clientsOf(steered, call), call.parameters),
	},
	{
		method: 'GET',
		path: '/groups',
		help: 'the name of every group',
		act: (steered, call) => listGroups(clientsOf(steered, call)),
	},
	{
		method: 'POST',
		path: '/clients',
		help: 'add a client, or ?count=10 of them; fields left out are made up',
		parameters: ['count'],
		takesBody: true,
		act: addClients,
	},
	{
		method: 'DELETE',
		path: '/clients',
		help: 'remove several: {"reference_ids": ["ONB-6C609337"]}',
		takesBody: true,
		act: (steered, call) => {
			const ids = readReferenceIds(readJson(call.body));
			const clients = demandClients(steered, call, ids);
			return ids.map((id) => clients.remove(id));
		},
	},
	{
		method: 'PATCH',
		path: '/clients/:reference_id',
		help: 'change it: {"request_status": "completed"}, or any other field',
		takesBody: true,
		act: (steered, call) => {
			const changes = readChanges(readJson(call.body));
			return demandClients(steered, call, [call.referenceId]).update(call.referenceId, changes);
		},
	},
	{
		method: 'DELETE',
		path: '/clients/:reference_id',
		help: 'remove it',
		act: (steered, call) => demandClients(steered, call, [call.referenceId]).remove(call.referenceId),
	},
];
