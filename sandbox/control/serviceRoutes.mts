import { CLIENT_TYPES } from '../data/client.mts';
import { SETTINGS, SETTING_NAMES } from '../endpoints/behavior.mts';
import { FAULT_KINDS, type Fault } from '../faults/faults.mts';
import { FIELDS, readNumber, readObject, STATUSES } from './clientInput.mts';
import { SORTS } from './clientTable.mts';
import { MOST_PER_MINUTE } from './liveliness.mts';
import { readOpenApi } from './files.mts';
import { NotFound, readJson, type Route } from './route.mts';
import { describeState } from './state.mts';

export const serviceRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/options',
		help: 'the available settings, faults and fields',
		act: () => ({
			settings: SETTING_NAMES.map((name) => ({ name, ...SETTINGS[name] })),
			faults: Object.entries(FAULT_KINDS).map(([kind, fault]) => ({ kind, ...fault })),
			fields: FIELDS,
			request_status: STATUSES,
			client_type: CLIENT_TYPES,
			sort: SORTS,
			most_per_minute: MOST_PER_MINUTE,
		}),
	},
	{ method: 'GET', path: '/behavior', help: 'the value of every setting', act: ({ app }) => app.behavior() },
	{
		method: 'PATCH',
		path: '/behavior',
		help: 'change settings: {"order": "shuffled"}',
		takesBody: true,
		act: ({ app }, { body }) => {
			app.setBehavior(readJson(body) as object);
			return app.behavior();
		},
	},
	{
		method: 'GET',
		path: '/faults',
		help: 'all faults, including finished ones, and how many requests each has affected',
		act: ({ app }) => app.faults(),
	},
	{
		method: 'POST',
		path: '/faults',
		help: 'add a fault: {"kind": "status", "code": 503, "times": 2} or the text status:code=503,times=2',
		takesBody: true,
		act: ({ app }, { body }) => {
			app.schedule(body.trimStart().startsWith('{') ? (readJson(body) as Fault) : body);
			return app.faults();
		},
	},
	{
		method: 'DELETE',
		path: '/faults',
		help: 'remove all faults, or the one with ?id=1',
		parameters: ['id'],
		act: ({ app }, { parameters }) => {
			const id = parameters.get('id');
			if (id === null) app.clearFaults();
			else if (!app.removeFault(Number(id))) throw new NotFound(`No fault has the id "${id}".`);
			return app.faults();
		},
	},
	{
		method: 'PATCH',
		path: '/lively',
		help: 'change this many statuses a minute automatically: {"per_minute": 6}; 0 stops it',
		takesBody: true,
		act: ({ liveliness }, { environment, body }) => {
			const example = 'Send the number of changes a minute: {"per_minute": 6}.';
			const { per_minute: perMinute, ...others } = readObject(readJson(body), example);
			if (typeof perMinute !== 'number' || Object.keys(others).length > 0) throw new Error(example);
			liveliness[environment].perMinute = readNumber('per_minute', perMinute, 0, MOST_PER_MINUTE);
			return { per_minute: liveliness[environment].perMinute };
		},
	},
	{
		method: 'GET',
		path: '/requests',
		help: 'number of requests, by environment and endpoint',
		act: ({ app }) => app.counts(),
	},
	{
		method: 'DELETE',
		path: '/requests',
		help: 'set the number of requests to 0',
		act: ({ app }) => {
			app.resetCounts();
			return app.counts();
		},
	},
	{
		method: 'POST',
		path: '/tokens/revoke',
		help: 'revoke all access tokens',
		takesBody: true,
		act: ({ app }, { environment }) => ({ revoked: app.environment(environment).tokens.revokeAll() }),
	},
	{
		method: 'GET',
		path: '/state',
		help: 'addresses, clients by status, valid tokens, settings and faults',
		act: (controlled) => describeState(controlled),
	},
	{
		method: 'GET',
		path: '/openapi.json',
		help: 'the OpenAPI 3.1 description of the service',
		act: () => readOpenApi(),
	},
];
