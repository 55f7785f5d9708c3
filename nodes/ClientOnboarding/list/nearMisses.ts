import type { Client } from '../service/client';
import { folded, textOf } from '../service/client';
import type { Filters } from './filters';

/** So many letters may be wrong in a name that is close. */
const MOST_WRONG_LETTERS = 2;

const ADVICE_ON_PARTS = 'To search by a part of it, set the option "Text Filters Match" to "Part of the Value".';

/** Looks at those who do not match, for somebody whose filters match nobody. */
export class NearMisses {
	/** The names of groups, by their writing in lower case. */
	private readonly groups = new Map<string, string>();

	constructor(
		readonly filters: Filters,
		/** Whether the user can choose how texts are compared. */
		private readonly hasTextMatch: boolean,
	) {}

	note({ group_name: group }: Client): void {
		if (this.filters.groupName) this.groups.set(folded(group), textOf(group).trim());
	}

	/** What may be wrong with the filters, in words for the user; undefined where nothing can be said. */
	advise(): string | undefined {
		const { clientEmail, groupName, textMatch } = this.filters;
		if (textMatch === 'part') return undefined;
		if (clientEmail && !clientEmail.includes('@')) {
			const advice = this.hasTextMatch ? ` ${ADVICE_ON_PARTS}` : '';
			return `No client matched: an e-mail address has an @, and "${clientEmail}" has none.${advice}`;
		}
		if (groupName && this.sawAllGroups && !this.groups.has(folded(groupName))) return this.adviseOnGroup(groupName);
		return clientEmail && this.hasTextMatch
			? `No client matched: filters compare the whole value. ${ADVICE_ON_PARTS}`
			: undefined;
	}

	/** With another filter that the service knows, clients of other groups may not have come at all. */
	private get sawAllGroups(): boolean {
		const { clientEmail, clientTypes, requestStatuses } = this.filters;
		return !clientEmail && clientTypes.length !== 1 && requestStatuses.length !== 1;
	}

	private adviseOnGroup(groupName: string): string {
		const wanted = folded(groupName);
		const close = [...this.groups].find(([name]) => name !== '' && (name.includes(wanted) || isClose(name, wanted)));
		const advice = close ? `"${close[1]}" is close` : 'choose one from the list';
		return `No client matched: no group is called "${groupName}"; ${advice}.`;
	}
}

/** Whether one text becomes the other by changing a few letters. */
function isClose(one: string, other: string): boolean {
	if (Math.abs(one.length - other.length) > MOST_WRONG_LETTERS) return false;
	let distances = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let row = 1; row <= one.length; row++) {
		const next = [row];
		for (let column = 1; column <= other.length; column++) {
			const isSame = one[row - 1] === other[column - 1];
			next.push(Math.min(distances[column - 1] + Number(!isSame), distances[column] + 1, next[column - 1] + 1));
		}
		distances = next;
	}
	return distances[other.length] <= MOST_WRONG_LETTERS;
}
