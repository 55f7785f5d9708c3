import { REQUEST_STATUSES } from '../data/client.mts';
import type { Clients } from '../data/clients.mts';
import { DEFAULT_BEHAVIOR } from '../endpoints/behavior.mts';
import { ENVIRONMENT_NAMES, type EnvironmentName } from '../endpoints/environment.mts';
import { showAsLocalhost } from '../localhost.mts';
import type { Controlled } from './route.mts';

type Counts = Record<string, number>;

/** Counted again only after a change. */
const counted = new WeakMap<Clients, { revision: number; counts: Counts }>();

function countStatuses(clients: Clients): Counts {
	const { revision } = clients;
	const known = counted.get(clients);
	if (known?.revision === revision) return known.counts;
	const counts: Counts = Object.fromEntries(REQUEST_STATUSES.map((status) => [status, 0]));
	for (const row of clients.rows('created')) {
		const status = clients.columns.requestStatus(row);
		counts[status] = (counts[status] ?? 0) + 1;
	}
	counted.set(clients, { revision, counts });
	return counts;
}

/** The state of the sandbox, without keys or tokens. */
export function describeState({ app, addresses, startedAt, liveliness, messages }: Controlled): object {
	const describeEnvironment = (name: EnvironmentName) => {
		const { clients, tokens } = app.environment(name);
		return {
			url: showAsLocalhost(addresses()[name]),
			clients: clients.size,
			revision: clients.revision,
			by_request_status: countStatuses(clients),
			valid_tokens: tokens.countValid(),
			per_minute: liveliness[name].perMinute,
		};
	};
	return {
		started_at: startedAt,
		environments: Object.fromEntries(ENVIRONMENT_NAMES.map((name) => [name, describeEnvironment(name)])),
		behavior: app.behavior(),
		default_behavior: DEFAULT_BEHAVIOR,
		faults: app.faults(),
		messages: messages.received,
	};
}
