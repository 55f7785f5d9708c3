import type { Client } from '../api/record';
import { folded, REQUEST_STATUSES, textOf } from '../api/record';
import type { Filters, TextField } from './filters';
import { createdRange, isFilteredHere, toQuery } from './filters';

const MAX_EXAMPLES = 5;

/** Why no client may have matched. `returned`: all clients that the service returned. */
export function explainNoMatch(filters: Filters, returned: Client[]): string {
	const hasFilters = isFilteredHere(filters) || Object.keys(toQuery(filters)).length > 0;
	if (!hasFilters) return 'The service lists no clients.';
	const { afterMs, beforeMs } = createdRange(filters, Date.now());
	const reason = afterMs >= beforeMs ? 'No creation date can match all date filters.' : explainTexts(filters, returned);
	return reason ? `No client matches the filters. ${reason}` : 'No client matches the filters.';
}

function explainTexts({ texts }: Filters, returned: Client[]): string | undefined {
	const { client_status: status, group_name: group, email } = texts;
	if (status && REQUEST_STATUSES.includes(folded(status.text))) {
		return `"${status.text}" is a request status: use the filter "Request Status".`;
	}
	if (status) return explainValue('client_status', 'client status', status.text, returned);
	if (group?.match === 'whole') return explainValue('group_name', 'group', group.text, returned);
	if (email?.match === 'whole') return explainEmail(email.text, returned);
	return undefined;
}

/** Undefined if a returned client has the value: then another filter excludes it. */
function explainValue(field: TextField, label: string, wanted: string, returned: Client[]): string | undefined {
	const values = new Map(returned.map((client) => [folded(client[field]), textOf(client[field]).trim()]));
	const text = folded(wanted);
	const examples = [...values.values()].filter(Boolean);
	if (examples.length === 0 || values.has(text)) return undefined;
	// The value that was meant may be a little longer or shorter.
	const isSimilar = (value: string) => folded(value).includes(text) || text.includes(folded(value));
	examples.sort((a, b) => Number(isSimilar(b)) - Number(isSimilar(a)));
	const shown = examples.slice(0, MAX_EXAMPLES).join(', ');
	const more = examples.length > MAX_EXAMPLES ? ` and ${examples.length - MAX_EXAMPLES} more` : '';
	return `None of the returned clients has the ${label} "${wanted}". Existing values: ${shown}${more}.`;
}

/** Undefined if a returned client has the email. */
function explainEmail(wanted: string, returned: Client[]): string | undefined {
	if (returned.some((client) => folded(client.email) === folded(wanted))) return undefined;
	const advice = 'To search by part of an email address, set the option "Text Match" to "Contains".';
	return wanted.includes('@')
		? `None of the returned clients has the email address "${wanted}". ${advice}`
		: `"${wanted}" is not a complete email address. ${advice}`;
}
