const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const FRAME_MS = 100;
const FIRST_LINE_MS = 1_000;
const LINE_EVERY_MS = 10_000;

/** @param {number} ms */
export function formatDuration(ms) {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Shows the progress and duration of the work: a moving line on a terminal, a line every ten seconds in a log.
 * @template T
 * @param {string} what
 * @param {(report: (detail: string) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function showProgress(what, work) {
	const startedMs = Date.now();
	const elapsedMs = () => Date.now() - startedMs;
	let detail = '';
	const line = () => [what, detail, formatDuration(elapsedMs())].filter(Boolean).join(' · ');
	const display = process.stdout.isTTY ? spin(line) : print(line);
	try {
		const result = await work((text) => (detail = text));
		display.finish(elapsedMs() < FIRST_LINE_MS ? `✓ ${what}` : `✓ ${what} (${formatDuration(elapsedMs())})`);
		return result;
	} catch (error) {
		display.finish(`✗ ${what}`);
		throw error;
	}
}

/** @param {() => string} line */
function spin(line) {
	let frame = 0;
	const draw = () => {
		const text = `${FRAMES[frame++ % FRAMES.length]} ${line()}`;
		process.stdout.write(`\r\x1b[K${text.slice(0, process.stdout.columns - 1)}`);
	};
	const timer = setInterval(draw, FRAME_MS);
	return {
		/** @param {string} last */
		finish(last) {
			clearInterval(timer);
			process.stdout.write(`\r\x1b[K${last}\n`);
		},
	};
}

/** @param {() => string} line */
function print(line) {
	const write = () => console.log(`  ${line()}`);
	const first = setTimeout(write, FIRST_LINE_MS);
	const timer = setInterval(write, LINE_EVERY_MS);
	return {
		/** @param {string} last */
		finish(last) {
			clearTimeout(first);
			clearInterval(timer);
			console.log(last);
		},
	};
}
