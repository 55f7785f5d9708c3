import type { Client } from '../api/record';
import { folded, REQUEST_STATUSES, textOf } from '../api/record';
import type { Filters } from './filters';
import { createdRange, isFilteredHere, toQuery } from './filters';

const MAX_EXAMPLES = 5;

/** Why no client may have matched. `returned`: all clients that the service returned. */
export function explainNoMatch(filters: Filters, returned: Client[]): string {
	const hasFilters = isFilteredHere(filters) || Object.keys(toQuery(filters)).length > 0;
	if (!hasFilters) return 'The service lists no clients.';
	return ['No client matches the filters.', ...findReason(filters, returned)].join(' ');
}

function findReason(filters: Filters, returned: Client[]): string[] {
	const { afterMs, beforeMs } = createdRange(filters, Date.now());
	if (afterMs >= beforeMs) return ['The filters on the creation date exclude each other.'];
	const { email, client_status: status, group_name: group } = filters.texts;
	if (status && REQUEST_STATUSES.includes(folded(status.text))) {
		return [`"${status.text}" is a request status: use the filter "Request Status".`];
	}
	if (status) return describeValues('client_status', 'client status', status.text, returned);
	if (group?.match === 'whole') return describeValues('group_name', 'group', group.text, returned);
	const isKnown = returned.some((client) => folded(client.email) === folded(email?.text));
	if (email?.match !== 'whole' || isKnown) return [];
	const advice = 'To search by part of an email address, set the option "Text Filters Match" to "Part of the Value".';
	return email.text.includes('@') ? [advice] : [`"${email.text}" is not a complete email address.`, advice];
}

/** Nothing if there is such a client, which another filter excludes, or if no client was returned. */
function describeValues(field: string, label: string, wanted: string, returned: Client[]): string[] {
	const values = new Map(returned.map((client) => [folded(client[field]), textOf(client[field]).trim()]));
	if (values.size === 0 || values.has(folded(wanted))) return [];
	const examples = [...values.values()].filter(Boolean);
	const more = examples.length > MAX_EXAMPLES ? ', …' : '';
	return [
		`None of ${returned.length} clients has the ${label} "${wanted}".`,
		`Values are: ${examples.slice(0, MAX_EXAMPLES).join(', ')}${more}.`,
	];
}
