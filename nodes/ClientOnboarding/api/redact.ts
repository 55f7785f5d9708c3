/** Replaces secrets in a text from outside, also where they are URL-encoded or JSON-escaped. */
export function redact(text: string, secrets: Iterable<string>): string {
	const spellings = [...new Set(secrets)].filter(Boolean).flatMap(spell);
	// The longest first: a secret may be a part of another one.
	spellings.sort((a, b) => b.length - a.length);
	return spellings.reduce((redacted, spelling) => redacted.replaceAll(spelling, '…'), text);
}

function spell(secret: string): string[] {
	const encoded = encodeURIComponent(secret);
	const lowerEncoded = encoded.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
	const escaped = JSON.stringify(secret).slice(1, -1);
	return [secret, encoded, lowerEncoded, escaped, escaped.replaceAll('/', '\\/')];
}
