import fc from 'fast-check';
import type { RawAnswer } from './rawService.mts';

const KEYS = [
	...['status_code', 'message', 'data', 'results', 'total_count', 'page_number', 'page_limit', 'access_token'],
	...['reference_id', '__proto__', 'constructor', 'toString', 'error', 'length', ''],
];
const ODDITIES: unknown[] = [
	...[null, true, false, 0, -1, 0.5, 200, 401, 503, 1e308, 2 ** 53],
	...['', ' ', '200', 'text', 'line\nbreak', '\u0000', '😀'.repeat(100)],
	...[[], {}, [[]], [null], [200], { results: [] }, { status_code: 200 }, { toString: 1 }],
];
const OTHER_TEXTS = ['', ' ', 'null', 'true', '[]', '{}', '"text"', '0', '<html></html>', 'NaN', '{"a":'];
const STATUSES = [
	...[200, 201, 202, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 405, 409, 418, 422, 429],
	...[500, 501, 502, 503, 504],
];
const JSON_TYPE = 'application/json';
const CONTENT_TYPES = ['application/json; charset=utf-16', 'text/html', 'application/octet-stream', ''];
const RETRY_AFTER = ['0', '-1', 'soon', '', '1e3', 'Thu, 01 Jan 1970 00:00:00 GMT', '0x10', '0, 5'];

const mostly = <T,>(usual: T, others: readonly T[]) =>
	fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

/** Changes one value of a response. `place`: at each level, which value to go into. */
const edit = fc.record({
	place: fc.array(fc.nat(9), { maxLength: 5 }),
	action: fc.constantFrom('replace', 'remove', 'add', 'rename', 'repeat', 'wrap', 'asText'),
	key: fc.constantFrom(...KEYS),
	value: fc.oneof(fc.constantFrom(...ODDITIES), fc.jsonValue({ maxDepth: 4 })),
});

/** Changes the bytes. */
const damage = fc.record({
	place: fc.nat(),
	how: fc.constantFrom('cutEnd', 'cutStart', 'insert', 'overwrite', 'byteOrderMark', 'twice', 'prefix'),
	noise: fc.uint8Array({ minLength: 1, maxLength: 8 }),
});

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

/** What is changed in a correct response. */
export const changes = fc.record({
	edits: fc.array(edit, { maxLength: 3 }),
	text: mostly<string | undefined>(undefined, OTHER_TEXTS),
	damage: fc.option(damage, { freq: 1, nil: undefined }),
	status: mostly(200, STATUSES),
	contentType: mostly(JSON_TYPE, CONTENT_TYPES),
	retryAfter: mostly<string | undefined>(undefined, RETRY_AFTER),
});

export type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;

export function change(right: object, { edits, text, damage, status, contentType, retryAfter }: Changes): RawAnswer {
	const changed = edits.reduce<unknown>((value, { place, ...one }) => editAt(value, place, one), right);
	const body = Buffer.from(text ?? JSON.stringify(changed) ?? '');
	return {
		status,
		headers: { 'content-type': contentType, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
		body: damage ? spoil(body, damage) : body,
	};
}

function editAt(value: unknown, [index, ...deeper]: number[], edit: Omit<Edit, 'place'>): unknown {
	const isList = Array.isArray(value);
	if (index === undefined || typeof value !== 'object' || value === null) return replace(value, edit);
	const entries = Object.entries(value);
	const at = index % Math.max(1, entries.length);
	const [key, child] = entries[at] ?? ['', undefined];
	const { action } = edit;
	if (deeper.length > 0) entries[at] = [key, editAt(child, deeper, edit)];
	else if (action === 'remove') entries.splice(at, 1);
	else if (action === 'add') entries.push([edit.key, edit.value]);
	else if (action === 'rename') entries[at] = [edit.key, child];
	else if (action === 'repeat') entries.push(...entries);
	else entries[at] = [key, replace(child, edit)];
	return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

function replace(value: unknown, { action, key, value: other }: Omit<Edit, 'place'>): unknown {
	if (action === 'wrap') return key === '' ? [value] : { [key]: value };
	if (action === 'asText') return typeof value === 'number' ? String(value) : JSON.stringify(value);
	return other;
}

function spoil(bytes: Buffer, { place, how, noise }: Damage): Buffer {
	const at = place % (bytes.length + 1);
	const [start, end] = [bytes.subarray(0, at), bytes.subarray(at)];
	switch (how) {
		case 'cutEnd':
			return start;
		case 'cutStart':
			return end;
		case 'insert':
			return Buffer.concat([start, noise, end]);
		case 'overwrite':
			return Buffer.concat([start, noise, end.subarray(noise.length)]);
		case 'byteOrderMark':
			return Buffer.concat([Buffer.from('\ufeff'), bytes]);
		case 'twice':
			return Buffer.concat([bytes, bytes]);
		case 'prefix':
			return Buffer.concat([Buffer.from(")]}'\n"), bytes]);
	}
}
