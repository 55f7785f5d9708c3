/** The names of the contenders in the report. */
export const CONTENDER_NAMES = {
	http100: 'HTTP Request, pages of 100',
	http1000: 'HTTP Request, pages of 1,000',
	node1: 'List Clients, 1 request at a time',
	node5: 'List Clients, default options (5 at a time)',
	node20: 'List Clients, 20 requests at a time',
	fast1: 'List Clients, Read Mode Fast, 1 request at a time',
	fast5: 'List Clients, Read Mode Fast, 5 requests at a time',
	fast20: 'List Clients, Read Mode Fast, 20 requests at a time',
	wire5: 'undici, the same requests as List Clients, default options',
};

export function formatCount(number) {
	return number.toLocaleString('en-US');
}

export function formatSeconds(ms) {
	const seconds = ms / 1000;
	return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}
