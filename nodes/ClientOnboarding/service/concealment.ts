/** Whoever repeats what was sent may put it into a link, and the link into JSON. */
const MAX_LAYERS = 2;

/** A shorter one would be found in ordinary words. */
const MIN_BASE64 = 6;

/** In the words of others, half a secret is hidden, and so many characters of it in a row. Services name a key by fewer. */
const LONG_PIECE = 8;
/** Fewer stand in ordinary words. */
const SHORT_PIECE = 6;

/** One way to write a secret, in small letters. */
interface Spelling {
	text: string;
	isBase64: boolean;
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Plain writing again, from the writing of URLs, of JSON and of HTML. Secrets are printable ASCII; so is what is read here. */
const READERS: Array<(text: string) => string> = [
	(text) => text.replace(/%([2-7][\da-f])/gi, (_escape, hex: string) => fromHex(hex)),
	(text) =>
		text.replace(/\\(?:(?:u00|x)([2-7][\da-f])|([^\da-z]))/gi, (_escape, hex: string | undefined, sign: string) =>
			hex ? fromHex(hex) : sign,
		),
	(text) => text.replace(/&(?:#x0{0,4}([2-7][\da-f])|#0{0,4}(\d{2,3})|(amp|lt|gt|quot|apos));/gi, readEntity),
];

/**
 * Puts … in place of these secrets, in any case, also where they are written for URLs, JSON or HTML, in hex or in base64. A
 * text that holds such a spelling comes back in plain writing as a whole.
 */
export function concealSecrets(text: string, secrets: Iterable<string>): string {
	const spellings = [...new Set(secrets)].flatMap(spell).sort((a, b) => b.text.length - a.text.length);
	return conceal(text, (plain) => spellings.reduce(hide, plain), MAX_LAYERS);
}

/** The same for pieces of these secrets as well: what others say may hold half a key, or one that was cut. */
export function concealPieces(text: string, secrets: Iterable<string>): string {
	const distinct = [...new Set(secrets)];
	const cut = distinct.map(cutUp);
	// Not before: a piece that is taken out of a secret would leave the rest of it.
	return conceal(concealSecrets(text, distinct), (plain) => cut.reduce(hidePieces, plain), MAX_LAYERS);
}

function conceal(text: string, hideIn: (plain: string) => string, layers: number): string {
	let concealed = hideIn(text);
	for (const read of layers > 0 ? READERS : []) {
		const plain = read(concealed);
		const beneath = plain === concealed ? plain : conceal(plain, hideIn, layers - 1);
		if (beneath !== plain) concealed = beneath;
	}
	return concealed;
}

/** Not by a regular expression: a secret may be too long for one. */
function hide(text: string, spelling: Spelling): string {
	const lowerText = inSmallLetters(text);
	let hidden = '';
	let end = 0;
	for (let at = lowerText.indexOf(spelling.text); at >= 0; at = lowerText.indexOf(spelling.text, end)) {
		hidden += `${text.slice(end, at)}…`;
		end = at + spelling.text.length;
		if (spelling.isBase64) end += lastDigit(text.slice(end, end + 3)).length;
	}
	return hidden + text.slice(end);
}

/** All pieces of one secret that are too long to be shown. */
interface Pieces {
	texts: Set<string>;
	length: number;
}

function cutUp(secret: string): Pieces {
	const small = inSmallLetters(secret);
	const length = Math.max(SHORT_PIECE, Math.min(LONG_PIECE, Math.ceil(small.length / 2)));
	const count = Math.max(0, small.length - length + 1);
	return { length, texts: new Set(Array.from({ length: count }, (_, at) => small.slice(at, at + length))) };
}

function hidePieces(text: string, { texts, length }: Pieces): string {
	const small = inSmallLetters(text);
	let hidden = '';
	let end = 0;
	for (let at = 0; at <= small.length - length; at++) {
		if (!texts.has(small.slice(at, at + length))) continue;
		if (at >= end) hidden += `${text.slice(end, at)}…`;
		end = at + length;
	}
	return hidden + text.slice(end);
}

/** It is made of the secret's last bits and of what comes after it. */
function lastDigit(rest: string): string {
	return /^[\w+/-]=*/.exec(rest)?.[0] ?? '';
}

function spell(secret: string): Spelling[] {
	if (secret === '') return [];
	const encoded = [0, 1, 2].map((before) => base64Core(secret, before)).filter(({ length }) => length >= MIN_BASE64);
	const forUrls = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
	// A form's way with links makes a blank of a plus.
	const plain = [secret, secret.replaceAll('+', ' '), Buffer.from(secret).toString('hex')];
	return [
		...plain.map((text) => ({ text: inSmallLetters(text), isBase64: false })),
		...[...encoded, ...forUrls].map((text) => ({ text: inSmallLetters(text), isBase64: true })),
	];
}

/** As long as the text itself, which other alphabets are not. */
function inSmallLetters(text: string): string {
	return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** What the secret is in base64 after so many other bytes, without the digits that it shares with its neighbours. */
function base64Core(secret: string, before: number): string {
	const bytes = Buffer.from(' '.repeat(before) + secret);
	return bytes.toString('base64').slice(Math.ceil((8 * before) / 6), Math.floor((8 * bytes.length) / 6));
}

function readEntity(_escape: string, hex: string | undefined, decimal: string | undefined, name: string): string {
	if (hex) return fromHex(hex);
	return decimal ? String.fromCharCode(Number(decimal)) : NAMED[name.toLowerCase()];
}

function fromHex(digits: string): string {
	return String.fromCharCode(parseInt(digits, 16));
}
