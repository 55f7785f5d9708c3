import type { Notice } from './noticing';
import type { Place, State } from './state/state';

/**
 * Whose turn it is: as many as have so many events in all, but at least one. The events of one client stay together. Whoever has
 * to wait is not noted, also where there is nothing to tell, so that those who are known stay side by side in a list. The
 * next time, the turn is with those who stand after the last one who was told, so that nobody waits for ever behind others to whom
 * something happens all the time; where each has one event only, those of the same time come first.
 */
export function takeTurns(
	all: Notice[],
	maxEvents: number,
	{ after, isForOne }: { after?: Place; isForOne: boolean },
): { notices: Notice[]; held: Notice[] } & Pick<State, 'turn'> {
	const isNext = ({ place: [ms, mark] }: Notice) =>
		!after || ms > after[0] || (ms === after[0] && (isForOne || mark > after[1]));
	const inTurn = [...all.filter(isNext), ...all.filter((notice) => !isNext(notice))];
	let told = 0;
	let turn: Place | undefined;
	const end = inTurn.findIndex(({ events, place }) => {
		if (events.length === 0) return false;
		const isTooMuch = told > 0 && told + events.length > maxEvents;
		told += events.length;
		if (!isTooMuch) turn = place;
		return isTooMuch;
	});
	if (end === -1) return { notices: all, held: [] };
	return { notices: inTurn.slice(0, end), held: inTurn.slice(end), turn };
}
