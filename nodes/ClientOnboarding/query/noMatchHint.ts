import type { Client } from '../api/record';
import { folded, REQUEST_STATUSES, textOf } from '../api/record';
import type { Filters, TextField } from './filters';
import { createdRange, isFilteredHere, matcherFor, NO_FILTERS, toQuery } from './filters';

const MAX_EXAMPLES = 5;
const EMAIL_PATTERN = /^[^@]+@[^@]+$/;

/** Why no client may have matched. `returned`: all clients that the service returned. */
export function explainNoMatch(filters: Filters, returned: Client[]): string {
	const hasFilters = isFilteredHere(filters) || Object.keys(toQuery(filters)).length > 0;
	if (!hasFilters) return 'The service lists no clients. If there are any, check "Environment" in the credential.';
	const { afterMs, beforeMs } = createdRange(filters, Date.now());
	const reason = afterMs >= beforeMs ? 'No creation date can match all date filters.' : explainTexts(filters, returned);
	return reason ? `No client matches the filters. ${reason}` : 'No client matches the filters.';
}

/** Undefined if each text is in a returned client: then another filter excludes it. */
function explainTexts(filters: Filters, returned: Client[]): string | undefined {
	const { texts } = filters;
	// The service applies other filters, so its rows do not show what else exists.
	const isNarrowed = Object.keys(toQuery({ ...filters, texts: {} })).length > 0;
	const noClient = isNarrowed
		? 'The service returned no client that matches the other filters and whose'
		: 'The service returned no client whose';
	const listTitle = isNarrowed ? 'Clients that match the other filters have: ' : 'Existing values: ';
	const isAbsent = (field: TextField) =>
		texts[field] && !returned.some(matcherFor({ ...NO_FILTERS, texts: { [field]: texts[field] } }));
	const { client_status: status, group_name: group, email } = texts;
	if (status && REQUEST_STATUSES.includes(folded(status.text))) {
		return `"${status.text}" is a request status: use the filter "Request Status".`;
	}
	if (email?.match === 'whole' && !EMAIL_PATTERN.test(email.text) && isAbsent('email')) {
		return `"${email.text}" is not a complete email address. To search by part of an email address, set the option "Text Match" to "Contains".`;
	}
	if (returned.length === 0) return undefined;
	if (status && isAbsent('client_status')) {
		return `${noClient} client status is "${status.text}".${listValues('client_status', status.text, returned, listTitle)}`;
	}
	if (group && isAbsent('group_name')) {
		const verb = group.match === 'whole' ? 'is' : 'contains';
		return `${noClient} group ${verb} "${group.text}".${listValues('group_name', group.text, returned, listTitle)}`;
	}
	if (email && isAbsent('email')) {
		const verb = email.match === 'whole' ? 'is' : 'contains';
		return `${noClient} email address ${verb} "${email.text}".`;
	}
	return undefined;
}

function listValues(field: TextField, wanted: string, returned: Client[], title: string): string {
	const values = new Map(returned.map((client) => [folded(client[field]), textOf(client[field]).trim()]));
	const text = folded(wanted);
	const examples = [...values.values()].filter(Boolean);
	if (examples.length === 0) return '';
	// The value that was meant may be a little longer or shorter.
	const isSimilar = (value: string) => folded(value).includes(text) || text.includes(folded(value));
	examples.sort((a, b) => Number(isSimilar(b)) - Number(isSimilar(a)));
	const shown = examples.slice(0, MAX_EXAMPLES).join(', ');
	const more = examples.length > MAX_EXAMPLES ? ` and ${examples.length - MAX_EXAMPLES} more` : '';
	return ` ${title}${shown}${more}.`;
}
