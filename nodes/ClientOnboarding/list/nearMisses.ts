import type { Client } from '../api/record';
import { folded, REQUEST_STATUSES, textOf } from '../api/record';
import type { Filters } from './filters';

/** Two letters may be wrong in a name that is close, or one in five. */
const mostWrongLetters = (name: string) => Math.max(2, Math.floor(name.length / 5));

/** More than these are no help. */
const MOST_STATUSES = 5;

const ADVICE_ON_PARTS = 'To search by a part of it, set the option "Text Filters Match" to "Part of the Value".';

/** Looks at those who do not match, for somebody whose filters match nobody. */
export class NearMisses {
	/** The names of groups, by their writing in lower case. */
	private readonly groups = new Map<string, string>();

	/** The statuses of clients themselves, by their writing in lower case. */
	private readonly statuses = new Map<string, string>();

	/** There is a client with the address, whom another filter leaves out. */
	private hasAddress = false;

	constructor(
		readonly filters: Filters,
		/** Whether the user can choose how texts are compared. */
		private readonly hasTextMatch: boolean,
		/** Which fields say from when and until when clients are created. */
		private readonly rangeFields: { after: string; before: string },
	) {}

	note({ email, group_name: group, client_status: status }: Client): void {
		const { clientEmail, clientStatus, groupName } = this.filters;
		if (clientStatus) this.statuses.set(folded(status), textOf(status).trim());
		if (groupName) this.groups.set(folded(group), textOf(group).trim());
		if (clientEmail) this.hasAddress ||= folded(email) === folded(clientEmail);
	}

	/** What may be wrong with the filters, in words for the user; undefined where nothing can be said. */
	advise(): string | undefined {
		const { clientEmail, clientStatus, groupName, textMatch } = this.filters;
		const { createdAfterMs = -Infinity, createdBeforeMs = Infinity } = this.filters;
		if (createdAfterMs >= createdBeforeMs) {
			const { after, before } = this.rangeFields;
			return `none can match both "${after}" and "${before}".`;
		}
		if (clientStatus && this.sawAll && !this.statuses.has(folded(clientStatus))) {
			return this.adviseOnStatus(clientStatus);
		}
		if (textMatch === 'part') return undefined;
		if (clientEmail && !clientEmail.includes('@')) {
			const advice = this.hasTextMatch ? ` ${ADVICE_ON_PARTS}` : '';
			return `an e-mail address has an @, and "${clientEmail}" has none.${advice}`;
		}
		if (!this.sawAll) return undefined;
		if (groupName && !this.groups.has(folded(groupName))) return this.adviseOnGroup(groupName);
		return clientEmail && !this.hasAddress && this.hasTextMatch
			? `none has the e-mail address "${clientEmail}". ${ADVICE_ON_PARTS}`
			: undefined;
	}

	/** With another filter that the service knows, others may not have come at all. */
	private get sawAll(): boolean {
		const { clientEmail, groupName, clientTypes, requestStatuses } = this.filters;
		return !(clientEmail && groupName) && clientTypes.length !== 1 && requestStatuses.length !== 1;
	}

	private adviseOnStatus(clientStatus: string): string {
		const known = [...this.statuses.values()].filter(Boolean).slice(0, MOST_STATUSES);
		const advice = REQUEST_STATUSES.includes(folded(clientStatus))
			? '. Use the filter "Request Status" for that'
			: known.length > 0
				? `; they have ${known.map((status) => `"${status}"`).join(', ')}`
				: '';
		return `none has the client status "${clientStatus}"${advice}.`;
	}

	private adviseOnGroup(groupName: string): string {
		const wanted = folded(groupName);
		const close = [...this.groups].find(([name]) => name !== '' && (name.includes(wanted) || isClose(name, wanted)));
		const advice = close ? `"${close[1]}" is close` : 'choose one from the list';
		return `no group is called "${groupName}"; ${advice}.`;
	}
}

/** Whether one text becomes the other by changing a few letters. */
function isClose(one: string, other: string): boolean {
	const most = mostWrongLetters(one);
	if (Math.abs(one.length - other.length) > most) return false;
	let distances = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let row = 1; row <= one.length; row++) {
		const next = [row];
		for (let column = 1; column <= other.length; column++) {
			const isSame = one[row - 1] === other[column - 1];
			next.push(Math.min(distances[column - 1] + Number(!isSame), distances[column] + 1, next[column - 1] + 1));
		}
		distances = next;
	}
	return distances[other.length] <= most;
}
