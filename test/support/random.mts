/** Random numbers that are the same for the same seed. */
export class Random {
	constructor(private state: number) {}

	/** From 0 up to, but not including, 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	/** A whole number from 0 up to, but not including, `end`. */
	below(end: number): number {
		return Math.floor(this.next() * end);
	}

	one<T>(choices: readonly T[]): T {
		return choices[this.below(choices.length)];
	}

	some<T>(choices: readonly T[], probability: number): T[] {
		return choices.filter(() => this.chance(probability));
	}
}
