import type { Reason } from './doubt';
import { isMoving } from './doubt';
import type { ClientsByKey, Round } from './round';
import type { Verdict } from './seams';

const MOST_ROUNDS = 10;
/** A list in another order on every request is found little by little. */
const MOST_UNORDERED_ROUNDS = 30;

/** What the rounds come to. */
interface Conclusion {
	/** Why some may be missing. */
	doubt?: Reason;
}

const BELIEVED: Conclusion = {};

/** All rounds of one reading, held against each other until what came can be believed. */
export class Rounds {
	/** Who came in any of them; of each, the latest record. */
	found: ClientsByKey = new Map();

	private count = 0;

	/** Who came again since the last one was found. */
	private readonly seenAgain = new Set<string>();

	/** The seams of a round have held. */
	private hasHeld = false;

	/** Rows stand in another order each time. */
	private isUnordered = false;

	private last?: Round;

	/** `firstTotal` is the total before the first round; `isInhabited`: clients had come by then. */
	constructor(
		private readonly firstTotal: number,
		private readonly isInhabited: boolean,
		public looksAtSeams: boolean,
	) {}

	/** What all rounds come to with this one, whose seams were found so; undefined where another one is needed. */
	add(round: Round, seams?: Verdict): Conclusion | undefined {
		const { last } = this;
		const looked = this.looksAtSeams;
		if (seams) this.learnFrom(seams);
		this.remember(round);
		const isBelieved = looked ? this.hasNobodySlippedThrough(round, seams) : this.addsUp(round);
		return round.isSnapshot || isBelieved ? BELIEVED : this.compare(round, last);
	}

	private learnFrom(seams: Verdict): void {
		this.isUnordered = seams === 'unordered';
		this.looksAtSeams = seams === 'holds' || seams === 'broken';
	}

	private remember(round: Round): void {
		const { found, seenAgain } = this;
		this.found = found.size === 0 ? round.clients : new Map([...found, ...round.clients]);
		if (this.found.size > found.size) seenAgain.clear();
		else for (const key of round.clients.keys()) seenAgain.add(key);
		this.count += 1;
		this.last = round;
	}

	private hasNobodySlippedThrough(round: Round, seams?: Verdict): boolean {
		this.hasHeld ||= seams === 'holds' && round.isAllTold;
		// Who moved to a page that was read already is found by another round.
		return this.hasHeld && round.isComplete && round.isAllTold && (this.count > 1 || !round.hasMoved);
	}

	private addsUp(round: Round): boolean {
		return !this.isUnordered && round.addsUp(this.found.size);
	}

	private compare(round: Round, last?: Round): Conclusion | undefined {
		const { found, isUnordered } = this;
		if (last?.isComplete && round.isComplete && round.hasSameClients(last)) {
			// A list that seems to be empty after some came may be one whose service cannot read it just now.
			const isEmptied = round.clients.size === 0 && this.isInhabited;
			return { doubt: isEmptied ? isMoving : last.lastingDoubt && round.lastingDoubt };
		}
		const isAllSeenAgain = isUnordered && this.seenAgain.size === found.size;
		if (isAllSeenAgain && round.total === found.size) return BELIEVED;
		// Where the total has moved, the next rounds tell who is still there.
		const isOver = isAllSeenAgain && round.total === this.firstTotal;
		if (!isOver && this.count < (isUnordered ? MOST_UNORDERED_ROUNDS : MOST_ROUNDS)) return undefined;
		return { doubt: isMoving };
	}
}
