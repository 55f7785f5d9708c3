import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** A plain error on purpose: with a `response` property n8n would request a token a second time. */
export class CredentialError extends Error {}

const FIELDS = {
	production: { name: 'productionBaseUrl', label: 'Production Base URL', protocols: ['https:'] },
	sandbox: { name: 'sandboxBaseUrl', label: 'Sandbox Base URL', protocols: ['https:', 'http:'] },
} as const;

/** The base URL field that the chosen environment uses. */
function fieldOf(credentials: ICredentialDataDecryptedObject) {
	return credentials.environment === 'sandbox' ? FIELDS.sandbox : FIELDS.production;
}

export function baseUrlLabel(credentials: ICredentialDataDecryptedObject): string {
	return fieldOf(credentials).label;
}

/** The address of the chosen environment's service, without a trailing slash. */
export function baseUrlOf(credentials: ICredentialDataDecryptedObject): string {
	const { name, label, protocols } = fieldOf(credentials);
	const text = String(credentials[name] ?? '').trim();
	if (text === '') throw new CredentialError(`Fill in "${label}" in the credential`);

	const url = parseUrl(text);
	const allowed = protocols.map((protocol) => `${protocol}//`).join(' or ');
	if (!protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`))) {
		throw new CredentialError(`"${label}" must start with ${allowed}, for example https://api.example.com`);
	}
	if (!url) throw new CredentialError(`"${label}" is not a valid URL. Enter one like https://api.example.com`);
	if (url.username || url.password) {
		throw new CredentialError(`"${label}" must not contain a username or password`);
	}
	if (url.search || url.hash) {
		throw new CredentialError(`"${label}" must not contain "?" or "#"`);
	}
	// People paste the address of an endpoint; the base URL ends before it.
	const path = url.pathname.replace(/\/api\/v1(\/.*)?$/, '').replace(/\/+$/, '');
	return `${url.origin}${path}`;
}

/** The service as messages name it: host and path. */
export function hostOf(credentials: ICredentialDataDecryptedObject): string {
	const { host, pathname } = new URL(baseUrlOf(credentials));
	return `${host}${pathname.replace(/\/$/, '')}`;
}

function parseUrl(text: string): URL | undefined {
	// The URL parser drops control characters silently; an address that holds one is a mistake.
	if (/[\s\p{Cc}]/u.test(text)) return undefined;
	return URL.canParse(text) ? new URL(text) : undefined;
}

/** The API key, without the spaces and line breaks that copying adds. */
export function apiKeyOf(credentials: ICredentialDataDecryptedObject): string {
	const key = String(credentials.apiKey ?? '').trim();
	if (key === '') throw new CredentialError('Fill in "API Key" in the credential');
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new CredentialError(
			'"API Key" contains a space, a line break or a character that API keys cannot have. Copy it again',
		);
	}
	return key;
}

/** Identifies the environment, address and key that a token belongs to, without revealing the key. */
export function fingerprint(credentials: ICredentialDataDecryptedObject): string {
	return digest([credentials.environment, baseUrlOf(credentials), apiKeyOf(credentials)]);
}

/** Identifies environment and address, whatever the key. */
export function addressId(credentials: ICredentialDataDecryptedObject): string {
	return digest([credentials.environment, baseUrlOf(credentials)]);
}

function digest(parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
