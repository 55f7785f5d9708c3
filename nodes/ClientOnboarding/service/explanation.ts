import type { Failure } from 'n8n-workflow';
import { concealPieces } from './concealment';
import type { Outcome } from './response';

/** A few lines in the editor. */
const MAX_QUOTE = 300;
/** Enough for that, however it is escaped. */
const MAX_READ = 20_000;

/** A trigger tries again by itself. */
export const ADVICE_IF_BUSY = 'Try again later, or turn on "Retry On Fail" in the settings of the node.';
const ADVICE_IF_BROKEN = `${ADVICE_IF_BUSY} If this happens each time, lower the option "Page Size".`;
const ADVICE_IF_LIMITED = `${ADVICE_IF_BUSY} If this happens each time, lower the option "Parallel Requests".`;
const ADVICE_IF_SLOW = 'Raise the option "Timeout (Seconds)", lower "Page Size", or try again later.';

const ADVICE_IF_REFUSED =
	'Check in the dashboard, under Settings, API credentials, that the API key may list clients. If another program uses the same key and each ends the tokens of the other, give this one a key of its own.';

export interface Explanation {
	message: string;
	description?: string;
	httpCode?: string;
	/** Tells n8n when to poll again. */
	failure: Failure;
}

interface Circumstances {
	/** What messages call the service. */
	host: string;
	addressField: string;
	/** Clients have come from there. */
	isProven: boolean;
	tries: number;
	/** What must not be repeated. */
	secrets?: Iterable<string>;
}

/** What a user reads when no page came: what happened, then how to get unstuck. */
export function explain(
	outcome: Exclude<Outcome, { kind: 'page' }>,
	{ host, addressField, isProven, tries, secrets = [] }: Circumstances,
): Explanation {
	const status = 'status' in outcome ? outcome.status : undefined;
	const httpCode = status ? String(status) : undefined;
	switch (outcome.kind) {
		case 'tokenRefused':
			return {
				message: `${host} refused a new access token`,
				description: outcome.stranger
					? `${ADVICE_IF_REFUSED} Or a firewall holds n8n back: ${outcome.stranger}.`
					: ADVICE_IF_REFUSED,
				httpCode,
				failure: { cause: 'credential-invalid' },
			};
		case 'busy':
		case 'tooSlow':
			return {
				message: tries > 1 ? `${outcome.reason} (asked ${tries} times)` : outcome.reason,
				description: outcome.kind === 'tooSlow' ? ADVICE_IF_SLOW : adviseIfBusy(status),
				httpCode,
				failure: {
					cause: status === 429 ? 'rate-limited' : 'temporarily-unavailable',
					retryAfterMs: 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined,
				},
			};
		case 'refused':
			return {
				message: `${host} did not accept the request: ${quote(outcome.message, secrets) || `status ${status}`}`,
				description:
					'Check the filters and options of the node. If they are not the reason, ask whoever runs the service.',
				httpCode,
				failure: { cause: 'configuration-invalid' },
			};
		case 'notThisService':
			if (isProven) {
				return {
					message: `${host} gave no clients: ${outcome.what}`,
					description: ADVICE_IF_BUSY,
					httpCode,
					failure: { cause: 'temporarily-unavailable' },
				};
			}
			return {
				message: `There is no client onboarding service at ${host}: ${outcome.what}`,
				description: `Check "${addressField}" in the credential.`,
				httpCode,
				failure: { cause: 'configuration-invalid' },
			};
		case 'credentialRefused':
			return { message: outcome.reason, failure: { cause: 'credential-invalid' } };
	}
}

function adviseIfBusy(status = 0): string {
	if (status === 429) return ADVICE_IF_LIMITED;
	return status >= 500 ? ADVICE_IF_BROKEN : ADVICE_IF_BUSY;
}

/** The service's own words in a few lines. They are cut last: a few letters of a secret could not be recognised. */
function quote(text: string, secrets: Iterable<string>): string {
	const words = concealPieces(text.slice(0, MAX_READ), secrets)
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	if (words.length <= MAX_QUOTE) return words;
	const halfCharacter = /[\ud800-\udbff]$/;
	return `${words.slice(0, MAX_QUOTE).replace(halfCharacter, '').trimEnd()}…`;
}
