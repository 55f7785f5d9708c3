/** Limits the requests of a run at once: never more than the user allows, fewer when the service cannot cope. */
export class ConcurrencyLimiter {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private allowed: number) {}

	get limit(): number {
		return this.allowed;
	}

	halve(): void {
		this.allowed = Math.max(1, Math.floor(this.allowed / 2));
	}

	/** Does the work as soon as fewer than `limit` are running, in the order of the calls. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.running >= this.allowed) await new Promise<void>((resolve) => this.waiting.push(resolve));
		this.running += 1;
		try {
			return await work();
		} finally {
			this.running -= 1;
			for (let free = this.allowed - this.running; free > 0; free--) this.waiting.shift()?.();
		}
	}
}
