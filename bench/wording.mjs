/** The names of the contenders in the report and the plot. */
export const CONTENDER_NAMES = {
	http100: 'HTTP Request, pages of 100',
	http1000: 'HTTP Request, pages of 1,000',
	node1: 'this node, 1 request at a time',
	node5: 'this node, default (5 at once)',
	node10: 'this node, 10 at once',
	node20: 'this node, 20 at once',
	fast5: 'this node, fast, 5 at once',
	fast20: 'this node, fast, 20 at once',
	wire1: 'undici, 1 request at a time',
	wire5: 'undici, 5 at once',
	wire10: 'undici, 10 at once',
	wire20: 'undici, 20 at once',
};

export const SIZES = [1_000, 10_000, 100_000];
export const LATENCIES_MS = [0, 50, 200];

export function formatCount(number) {
	return number.toLocaleString('en-US');
}

export function formatSeconds(ms) {
	const seconds = ms / 1000;
	return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}
