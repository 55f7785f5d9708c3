import type { Random } from '../../support/random.mts';
import type { RawAnswer } from '../world/rawService.mts';

const STATUSES = [
	...Array<number>(20).fill(200),
	201,
	202,
	204,
	206,
	301,
	302,
	304,
	307,
	400,
	401,
	403,
	404,
	405,
	409,
	418,
	422,
	429,
	500,
	501,
	502,
	503,
	504,
];
const RETRY_AFTER = ['0', '0.0', '-1', 'soon', '', '1e3', 'Thu, 01 Jan 1970 00:00:00 GMT', '0x10', '0, 5'];
const CONTENT_TYPES = [
	'application/json',
	'application/json; charset=utf-8',
	'text/html',
	'text/plain',
	'application/octet-stream',
	'application/json; charset=utf-16',
	'',
];
const KEYS = [
	'status_code',
	'message',
	'data',
	'results',
	'total_count',
	'page_number',
	'page_limit',
	'access_token',
	'reference_id',
	'__proto__',
	'constructor',
	'toString',
	'error',
	'length',
	'',
];

const ODDITIES: unknown[] = [
	...[null, true, false, 0, -1, 0.5, 200, 401, 503, 1e308, 2 ** 53],
	...['', ' ', '200', 'text', 'line\nbreak', '\u0000', '😀'.repeat(100)],
	...[[], {}, [[]], [null], [200], { results: [] }, { status_code: 200 }, { toString: 1 }],
];

/** A correct response, changed in a few places. Damaged bytes may cut the secrets in it in two. */
export function mutate(right: object, random: Random, mayDamage: boolean): RawAnswer {
	let value: unknown = structuredClone(right);
	for (let changes = random.below(4); changes > 0; changes--) value = changeSomewhere(value, random);
	const text = random.chance(0.03)
		? random.one(['', ' ', 'null', 'true', '[]', '{}', '"text"', '0', '<html></html>', 'NaN', '{"a":'])
		: JSON.stringify(value);
	const bytes = Buffer.from(text ?? '');
	return {
		status: random.one(STATUSES),
		headers: {
			'content-type': random.chance(0.8) ? CONTENT_TYPES[0] : random.one(CONTENT_TYPES),
			...(random.chance(0.2) && { 'retry-after': random.one(RETRY_AFTER) }),
		},
		body: mayDamage && random.chance(0.2) ? damage(bytes, random) : bytes,
	};
}

function changeSomewhere(value: unknown, random: Random): unknown {
	if (typeof value !== 'object' || value === null || random.chance(0.1)) return replace(value, random);
	if (Array.isArray(value)) return changeList(value, random);
	const entries = Object.entries(value);
	// Most of a response is deeply nested.
	const deeper = entries.findIndex(([, part]) => typeof part === 'object' && part !== null);
	const index = deeper >= 0 && random.chance(0.6) ? deeper : random.below(entries.length);
	const chance = random.next();
	if (entries.length === 0 || chance < 0.1) return Object.fromEntries([...entries, [random.one(KEYS), oddity(random)]]);
	if (chance < 0.2) return Object.fromEntries(entries.filter((_, other) => other !== index));
	if (chance < 0.3)
		return Object.fromEntries(entries.map(([name, part], other) => [other === index ? random.one(KEYS) : name, part]));
	return Object.fromEntries(
		entries.map(([name, part], other) => [name, other === index ? changeSomewhere(part, random) : part]),
	);
}

function changeList(list: unknown[], random: Random): unknown[] {
	const index = random.below(list.length);
	const chance = random.next();
	if (chance < 0.2) return [...list, oddity(random)];
	if (chance < 0.4) return list.filter((_, other) => other !== index);
	if (chance < 0.5) return [...list, ...list];
	return list.map((part, other) => (other === index ? changeSomewhere(part, random) : part));
}

function replace(value: unknown, random: Random): unknown {
	const chance = random.next();
	if (chance < 0.2) return [value];
	if (chance < 0.3) return { data: value };
	if (chance < 0.4) return typeof value === 'number' ? String(value) : JSON.stringify(value);
	return oddity(random);
}

function oddity(random: Random): unknown {
	return random.one([...ODDITIES, nest(random.below(200))]);
}

function nest(levels: number): unknown {
	let value: unknown = {};
	for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { data: value };
	return value;
}

function damage(bytes: Buffer, random: Random): Buffer {
	const place = random.below(bytes.length);
	const noise = Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256)));
	return random.one([
		() => bytes.subarray(0, place),
		() => bytes.subarray(place),
		() => Buffer.concat([bytes.subarray(0, place), noise, bytes.subarray(place)]),
		() => Buffer.concat([bytes.subarray(0, place), noise, bytes.subarray(place + noise.length)]),
		() => Buffer.concat([Buffer.from('\ufeff'), bytes]),
		() => Buffer.concat([bytes, bytes]),
		() => Buffer.concat([Buffer.from(")]}'\n"), bytes]),
	])();
}
