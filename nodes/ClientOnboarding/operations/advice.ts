import type { Question } from './operation';

/** A question, how many input items had it, and whether the answer was that there is nobody. */
export interface Asked {
	question: Question;
	items: number;
	foundNobody: boolean;
}

/** So many values are named; of more, only the number is of use. */
const MOST_NAMED = 3;

/** What is worth knowing about the answers, in words for the user. `reason` is why somebody may have found nobody. */
export function adviseOn(asked: Asked[], reason: string): string | undefined {
	const items = sum(asked);
	const inVain = asked.filter(({ foundNobody }) => foundNobody);
	if (inVain.length === 0) {
		return asked.length === 1 && items > 1
			? `This ran for ${items} items, and each got the same result. If once is enough, turn on "Execute Once" in the settings of this node.`
			: undefined;
	}
	if (asked.length > 1) return adviseOnMany(inVain, items, reason);
	const [{ question }] = inVain;
	if (reason) return `No client matched: ${reason}`;
	return question.notFound && `${question.notFound}.`;
}

function adviseOnMany(inVain: Asked[], items: number, reason: string): string {
	const values = inVain.flatMap(({ question }) => (question.sought === undefined ? [] : `"${question.sought}"`));
	const rest = values.length - MOST_NAMED;
	const named = [...values.slice(0, MOST_NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
	return [
		`${sum(inVain)} of ${items} items found no client${named && `: ${named}`}.`,
		...(reason ? [`One of them: ${reason}`] : []),
		...(named ? ['Turn on "Error If Not Found" to see which items these are.'] : []),
	].join(' ');
}

function sum(asked: Asked[]): number {
	return asked.reduce((total, { items }) => total + items, 0);
}
