import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { baseUrlOf, CredentialError, fingerprint } from '../nodes/ClientOnboarding/api/baseUrl';
import { getToken, prepareTokenUse, tokenUse } from '../nodes/ClientOnboarding/api/tokenCache';

const TEST_HEADER = 'x-client-onboarding-credential-test';
const TEST_TIMEOUT_MS = 30_000;

export class ClientOnboardingApi implements ICredentialType {
	name = 'clientOnboardingApi';

	displayName = 'Client Onboarding API';

	icon: Icon = { light: 'file:../icons/clientOnboarding.svg', dark: 'file:../icons/clientOnboarding.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-client-onboarding/n8n-nodes-client-onboarding#set-up-the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{ name: 'Production', value: 'production' },
				{ name: 'Sandbox', value: 'sandbox' },
			],
			default: 'production',
			description: 'Each environment has its own base URL and its own API keys',
		},
		{
			displayName: 'Production Base URL',
			name: 'productionBaseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'https://api.example.com',
			description: 'Address of the production service, starting with https://',
			displayOptions: { show: { environment: ['production'] } },
		},
		{
			displayName: 'Sandbox Base URL',
			name: 'sandboxBaseUrl',
			type: 'string',
			required: true,
			default: 'http://localhost:4010',
			placeholder: 'http://localhost:4010',
			description: 'Address of the sandbox service. The default is the local sandbox that npm start runs.',
			displayOptions: { show: { environment: ['sandbox'] } },
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Create the key in the dashboard of this environment, under Settings > API credentials',
		},
		{
			displayName:
				'n8n requests and refreshes the access token for you. It sends the token only to the base URL above, even when the HTTP Request node uses this credential.',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			// n8n adds a field of this name if there is none. It would show "All", although the credential only works for its base URL.
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'hidden',
			default: 'all',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		{
			displayName: 'Access Token For',
			name: 'accessTokenFor',
			type: 'hidden',
			typeOptions: { password: true },
			default: '',
		},
	];

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		return { accessToken: await getToken(this, credentials), accessTokenFor: fingerprint(credentials) };
	}

	// n8n offers a credential to its HTTP Request node only if the JSON of the credential type has "authenticate". JSON leaves
	// out methods, and functions without toJSON.
	authenticate = Object.assign(authenticate, { toJSON: () => ({}) });

	test: ICredentialTestRequest = {
		request: {
			url: '/api/v1/clients-list/',
			// Without a page number: under one of its two names a strict service would refuse it.
			qs: { page_limit: 1 },
			headers: { [TEST_HEADER]: 'yes' },
			json: true,
			// The rules below judge every response by its body, so that each gets its own message.
			ignoreHttpStatusErrors: true,
		},
		rules: [
			...[401, 403].map((value) => ({
				type: 'responseSuccessBody' as const,
				properties: {
					key: 'status_code',
					value,
					message:
						'The API key works, but it has no permission to list clients. Check its permissions in the dashboard',
				},
			})),
			...[429, 500, 502, 503, 504].map((value) => ({
				type: 'responseSuccessBody' as const,
				properties: {
					key: 'status_code',
					value,
					message: `The API key works, but the list of clients is unavailable (status ${value}). Try again later`,
				},
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'data.results',
					value: undefined,
					message:
						'The API key works, but the service returned no list of clients. Check the base URL, or try again later',
				},
			},
		],
	};
}

/** Gives a request its address and its token, also one of n8n's HTTP Request node. May be called again for the same request. */
async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	addressRequest(requestOptions, baseUrlOf(credentials));

	const { [TEST_HEADER]: isTest, ...headers } = requestOptions.headers ?? {};
	const isStale = credentials.accessTokenFor !== fingerprint(credentials);
	// n8n would test a new key with the stored token of an earlier one. A test is about the key, so it requests a token.
	const { token, isShared } = tokenUse(credentials);
	const isUntested = isTest !== undefined && (token === undefined || isShared === true);
	if (isUntested) prepareTokenUse(credentials, { mustBeNew: true });
	if (isStale || isUntested) {
		// n8n reads this as "401 from the service" and calls preAuthentication; nothing has been sent.
		throw Object.assign(new Error('The access token must be refreshed'), { response: { status: 401 } });
	}
	if (isTest) limitTime(requestOptions);
	requestOptions.headers = { ...headers, Authorization: `Bearer ${String(credentials.accessToken)}` };
	return requestOptions;
}

/**
 * Points the request at the credential's own service, and only there: neither another address nor a redirect may get the
 * token. n8n's HTTP Request node gives `uri` and its own names for the redirect options.
 */
function addressRequest(requestOptions: IHttpRequestOptions & { uri?: string }, address: string): void {
	const target = requestOptions.uri ?? requestOptions.url;
	const url = target.startsWith('/') ? `${address}${target}` : target;
	// The URL as it will be requested: a path with ".." could leave the base URL.
	const { href } = URL.canParse(url) ? new URL(url) : { href: '' };
	if (!`${href}/`.startsWith(`${address}/`)) {
		throw new CredentialError(`This credential is only for requests to ${address}. Use a URL that starts with it`);
	}
	if (url !== target) requestOptions.url = url;
	Object.assign(requestOptions, { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false });
}

/**
 * n8n gives a test five minutes, whatever its request says. The timeout restarts with every byte, so the signal limits the whole
 * response. The signal fires a little later: the user sees the code of the first one, and that of the timeout is clearer.
 */
function limitTime(requestOptions: IHttpRequestOptions): void {
	requestOptions.timeout = TEST_TIMEOUT_MS;
	requestOptions.abortSignal = AbortSignal.timeout(TEST_TIMEOUT_MS + 1_000);
}
