import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from '../data/client.mts';
import type { Clients } from '../data/clients.mts';
import { readBulkChanges, readChanges, readClient, readNumber, readReferenceIds } from './clientInput.mts';
import { listGroups, findClients, TABLE_PARAMETERS } from './clientTable.mts';
import { NotFound, readJson, type Call, type Route, type Controlled } from './route.mts';

const MOST_AT_ONCE = 1_000;

const clientsOf = ({ app }: Controlled, { environment }: Call) => app.environment(environment).clients;

function demandClients(controlled: Controlled, call: Call) {
	const clients = clientsOf(controlled, call);
	if (clients.get(call.referenceId)) return clients;
	throw new NotFound(`No client of the ${call.environment} environment has the reference_id "${call.referenceId}".`);
}

/** Random, so that no start reuses the ID of an earlier one: a trigger that saved it would take both for one client. */
const newReferenceId = () => `ONB-${randomBytes(4).toString('hex').toUpperCase()}`;

/** A group has one token, which is filled in when only the group is named. */
function completeGroup<Fields extends Partial<Client>>(clients: Clients, fields: Fields): Fields {
	const { group_name: name, group_token: token } = fields;
	if (name === undefined || token !== undefined) return fields;
	const row = clients.rows('created').find((candidate) => clients.columns.groupName(candidate) === name);
	return { ...fields, group_token: row === undefined ? randomUUID() : clients.columns.record(row).group_token };
}

function addClients(controlled: Controlled, call: Call): Client | Client[] {
	const clients = clientsOf(controlled, call);
	const fields = completeGroup(clients, readClient(call.body.trim() === '' ? {} : readJson(call.body)));
	const add = () => clients.add({ reference_id: newReferenceId(), ...fields });
	const count = call.parameters.get('count');
	if (count === null) return add();
	const length = readNumber('count', count, 1, MOST_AT_ONCE);
	if (fields.reference_id !== undefined && length > 1)
		throw new Error('A reference_id must be unique. Leave it out, or set count to 1.');
	return Array.from({ length }, add);
}

export const clientRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/clients',
		help: 'a page of clients: ?search=ada&request_status=pending&client_type=company&group_name=Retail&sort=newest&page=1&page_size=25',
		parameters: TABLE_PARAMETERS,
		act: (controlled, call) => findClients(clientsOf(controlled, call), call.parameters),
	},
	{
		method: 'GET',
		path: '/groups',
		help: 'the name of every group',
		act: (controlled, call) => listGroups(clientsOf(controlled, call)),
	},
	{
		method: 'POST',
		path: '/clients',
		help: 'add a client, or ?count=10 of them; missing fields are generated',
		parameters: ['count'],
		takesBody: true,
		act: addClients,
	},
	{
		method: 'PATCH',
		path: '/clients',
		help: 'change several: {"reference_ids": ["ONB-6C609337"], "request_status": "completed"}; unknown IDs are skipped',
		takesBody: true,
		act: (controlled, call) => {
			const clients = clientsOf(controlled, call);
			const { ids, changes } = readBulkChanges(readJson(call.body));
			const complete = completeGroup(clients, changes);
			return ids.filter((id) => clients.get(id)).map((id) => clients.update(id, complete));
		},
	},
	{
		method: 'DELETE',
		path: '/clients',
		help: 'remove several: {"reference_ids": ["ONB-6C609337"]}; unknown IDs are skipped',
		takesBody: true,
		act: (controlled, call) => {
			const clients = clientsOf(controlled, call);
			const ids = readReferenceIds(readJson(call.body)).filter((id) => clients.get(id));
			return ids.map((id) => clients.remove(id));
		},
	},
	{
		method: 'PATCH',
		path: '/clients/:reference_id',
		help: 'change a client: {"request_status": "completed"}, or any other field',
		takesBody: true,
		act: (controlled, call) => {
			const changes = readChanges(readJson(call.body));
			const clients = demandClients(controlled, call);
			return clients.update(call.referenceId, completeGroup(clients, changes));
		},
	},
	{
		method: 'DELETE',
		path: '/clients/:reference_id',
		help: 'remove a client',
		act: (controlled, call) => demandClients(controlled, call).remove(call.referenceId),
	},
];
