interface Kept<T> {
	reading: Promise<T>;
	/** Undefined while it is under way. */
	doneAtMs?: number;
}

/** Keeps what was read for a while, so that those who ask again, or at the same time, are served by one reading. */
export class ShortMemory<T> {
	private readonly kept = new Map<string, Kept<T>>();

	constructor(
		private readonly lifeMs: number,
		private readonly mostKept: number,
		private readonly now = () => Date.now(),
	) {}

	async recall(key: string, read: () => Promise<T>): Promise<T> {
		const known = this.kept.get(key);
		return await (known && this.isFresh(known) ? known : this.keep(key, { reading: read() })).reading;
	}

	private isFresh({ doneAtMs }: Kept<T>): boolean {
		const ageMs = doneAtMs === undefined ? 0 : this.now() - doneAtMs;
		// A clock that was set back must not keep anything for longer.
		return ageMs >= 0 && ageMs < this.lifeMs;
	}

	private keep(key: string, kept: Kept<T>): Kept<T> {
		this.kept.delete(key);
		this.kept.set(key, kept);
		if (this.kept.size > this.mostKept) this.kept.delete([...this.kept.keys()][0]);
		kept.reading.then(
			() => (kept.doneAtMs = this.now()),
			() => this.forget(key, kept),
		);
		return kept;
	}

	private forget(key: string, kept: Kept<T>): void {
		if (this.kept.get(key) === kept) this.kept.delete(key);
	}
}
