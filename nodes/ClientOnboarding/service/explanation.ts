import type { Failure } from 'n8n-workflow';
import type { Outcome } from './response';

export interface Explanation {
	message: string;
	description?: string;
	httpCode?: string;
	/** Tells n8n when to poll again. */
	failure: Failure;
}

/** What a user reads when no page came: what happened, then how to get unstuck. */
export function explain(
	outcome: Exclude<Outcome, { kind: 'page' }>,
	{ host, addressField, tries }: { host: string; addressField: string; tries: number },
): Explanation {
	const status = 'status' in outcome ? outcome.status : undefined;
	const httpCode = status ? String(status) : undefined;
	switch (outcome.kind) {
		case 'tokenRefused':
			return {
				message: `${host} refused a new access token`,
				description: 'Check in the dashboard, under Settings, API credentials, that the API key may list clients.',
				httpCode,
				failure: { cause: 'credential-invalid' },
			};
		case 'busy':
		case 'tooSlow':
			return {
				message: tries > 1 ? `${outcome.reason} (asked ${tries} times)` : outcome.reason,
				description:
					'Try again later, or turn on "Retry On Fail" in the settings of the node. For slow answers, raise the option "Timeout" or lower "Page Size".',
				httpCode,
				failure: {
					cause: status === 429 ? 'rate-limited' : 'temporarily-unavailable',
					retryAfterMs: 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined,
				},
			};
		case 'refused':
			return {
				message: `${host} did not accept the request: ${outcome.message || `status ${status}`}`,
				description: 'Check the filters and options of the node.',
				httpCode,
				failure: { cause: 'configuration-invalid' },
			};
		case 'notThisService':
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
