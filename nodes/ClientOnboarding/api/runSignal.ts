/**
 * Aborts the requests of a run when the execution is canceled or the poll's time is over. They share one listener: Node warns
 * of more than ten listeners to a signal, and more requests may be running.
 */
export class RunSignal {
	private readonly running = new Set<AbortController>();

	private readonly signals: AbortSignal[];

	constructor(...signals: Array<AbortSignal | undefined>) {
		this.signals = signals.filter((signal) => signal !== undefined);
	}

	get aborted(): boolean {
		return this.signals.some((signal) => signal.aborted);
	}

	/** Does the work with a signal that aborts with the run, or by `controller`. */
	async during<T>(work: (signal: AbortSignal) => Promise<T>, controller = new AbortController()): Promise<T> {
		if (this.aborted) controller.abort();
		if (this.running.size === 0) for (const signal of this.signals) signal.addEventListener('abort', this.abortAll);
		this.running.add(controller);
		try {
			return await work(controller.signal);
		} finally {
			this.running.delete(controller);
			if (this.running.size === 0)
				for (const signal of this.signals) signal.removeEventListener('abort', this.abortAll);
		}
	}

	private readonly abortAll = () => this.running.forEach((controller) => controller.abort());
}
