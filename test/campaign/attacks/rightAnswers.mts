import type { Random } from '../../support/random.mts';

export function rightList(clients: number): {
	status_code: number;
	message: string;
	data: { results: Array<Record<string, unknown>> } & Record<string, unknown>;
} {
	const results = Array.from({ length: clients }, (_, index) => ({
		reference_id: `ID ${index}`,
		email: `client-${index}@example.com`,
		client_type: 'company',
		group_name: 'Group',
		group_token: 'group',
		request_status: 'Pending',
		created_at: '2026-01-01T00:00:00.000Z',
	}));
	return {
		status_code: 200,
		message: 'ok',
		data: { page_number: 1, page_limit: 100, total_count: clients, total_pages: 1, results },
	};
}

export function rightToken(token: string) {
	return { status_code: 200, message: 'ok', data: { access_token: token, expires_in: 900 } };
}

/** Echoes what it was sent, or half of it, where no user data stands. */
export function echoing<T extends { message: string }>(answer: T, secrets: string[], random: Random): T {
	if (!random.chance(0.3)) return answer;
	const debug = random.chance(0.3) ? secrets.map((secret) => secret.slice(0, secret.length / 2)) : secrets;
	return { ...answer, message: `You sent ${debug.join(' and ')}`, debug };
}

/** What the specification calls a list of clients, written down independently of the product. */
export function isRightList(status: number, body: unknown): boolean {
	const data = isRight(status, body) ? Object(body).data : undefined;
	if (!isObject(data)) return false;
	// No list, and a total that says the same.
	if (data.results === null && ['0', '"0"'].includes(JSON.stringify(data.total_count))) return true;
	return Array.isArray(data.results) && data.results.every(isObject);
}

export function isRightToken(status: number, body: unknown): boolean {
	const data = isRight(status, body) ? Object(body).data : undefined;
	const token = isObject(data) ? data.access_token : undefined;
	// JavaScript would round it, so that it is taken for text.
	const isLongNumber = typeof token === 'number' && !Number.isSafeInteger(token) && /^\d+$/.test(String(token));
	if (isLongNumber) return true;
	return typeof token === 'string' && /^\s*(bearer\s+)?[!-~]+\s*$/i.test(token);
}

function isRight(status: number, body: unknown): boolean {
	if (status < 200 || status > 299 || !isObject(body) || !Object.hasOwn(body, 'status_code')) return false;
	const code = body.status_code;
	const isCode = typeof code === 'number' || (typeof code === 'string' && code.trim() !== '');
	// What is no status of HTTP speaks neither for nor against it.
	const isStatus = isCode && Number(code) >= 100 && Number(code) < 600;
	return !isStatus || (Number(code) >= 200 && Number(code) < 300);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
