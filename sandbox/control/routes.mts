import { randomBytes } from 'node:crypto';
import type { App } from '../app.mts';
import type { EnvironmentName } from '../endpoints/environment.mts';
import type { Fault } from '../faults/faults.mts';
import { readChanges, readClient } from './clientInput.mts';

export interface Call {
	environment: EnvironmentName;
	referenceId: string;
	body: string;
}

type Route = readonly [method: string, path: string, help: string, act: (app: App, call: Call) => unknown];

/** What the call is about does not exist. */
export class NotFound extends Error {}

function readJson(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		throw new Error('The body is not valid JSON.');
	}
}

function demandClients(app: App, { environment, referenceId }: Call) {
	const { clients } = app.environment(environment);
	if (clients.get(referenceId)) return clients;
	throw new NotFound(`No client of the ${environment} environment has the reference_id "${referenceId}".`);
}

export const ROUTES: readonly Route[] = [
	['GET', '/', 'this list', () => ({ routes: ROUTES.map(([method, path, help]) => `${method} ${path}: ${help}`) })],
	['GET', '/dialect', 'the reading of every axis', (app) => app.dialect()],
	[
		'PATCH',
		'/dialect',
		'change readings: {"order": "shuffled"}',
		(app, { body }) => {
			app.setDialect(readJson(body) as object);
			return app.dialect();
		},
	],
	['GET', '/faults', 'scheduled faults and what they did so far', (app) => app.faults()],
	[
		'POST',
		'/faults',
		'schedule one: {"kind": "status", "code": 503, "times": 2} or the text status:code=503,times=2',
		(app, { body }) => {
			app.schedule(body.trimStart().startsWith('{') ? (readJson(body) as Fault) : body);
			return app.faults();
		},
	],
	[
		'DELETE',
		'/faults',
		'forget all faults',
		(app) => {
			app.clearFaults();
			return app.faults();
		},
	],
	[
		'POST',
		'/clients',
		'add a client; fields left out are made up',
		(app, { environment, body }) => {
			const client = readClient(body.trim() === '' ? {} : readJson(body));
			// Not one that an earlier start gave away: whoever remembers it, such as a trigger, would take it for the same client.
			const reference_id = `ONB-${randomBytes(4).toString('hex').toUpperCase()}`;
			return app.environment(environment).clients.add({ reference_id, ...client });
		},
	],
	[
		'PATCH',
		'/clients/:reference_id',
		'change it: {"request_status": "completed"}, or any other field',
		(app, call) => {
			const changes = readChanges(readJson(call.body));
			return demandClients(app, call).update(call.referenceId, changes);
		},
	],
	['DELETE', '/clients/:reference_id', 'remove it', (app, call) => demandClients(app, call).remove(call.referenceId)],
	['GET', '/requests', 'how many requests came, by environment and endpoint', (app) => app.counts()],
	[
		'DELETE',
		'/requests',
		'count from zero again',
		(app) => {
			app.resetCounts();
			return app.counts();
		},
	],
	[
		'POST',
		'/tokens/revoke',
		'refuse all access tokens given out so far',
		(app, { environment }) => ({ revoked: app.environment(environment).tokens.revokeAll() }),
	],
];
