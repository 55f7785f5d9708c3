import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OUTPUT } from './shared.mts';

const SHIFTED_CLOCK = fileURLToPath(new URL('shiftedClock.cjs', import.meta.url));

/** A clock that can be moved ahead while n8n runs. */
export class Clock {
	readonly settings: Record<string, string>;

	private readonly file: string;

	private offsetMs = 0;

	constructor(name: string) {
		mkdirSync(OUTPUT, { recursive: true });
		this.file = join(OUTPUT, `${name}-clock.txt`);
		this.settings = { NODE_OPTIONS: `--require ${SHIFTED_CLOCK}`, E2E_CLOCK_FILE: this.file };
		this.advance(0);
	}

	advance(ms: number): void {
		this.offsetMs += ms;
		writeFileSync(this.file, String(this.offsetMs));
	}

	now(): number {
		return Date.now() + this.offsetMs;
	}
}
