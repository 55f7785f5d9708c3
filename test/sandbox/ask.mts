import { request, type Dispatcher } from 'undici';
import type { EnvironmentName } from '../../sandbox/endpoints/environment.mts';
import type { Sandbox } from '../../sandbox/server.mts';

const PATHS: Record<string, string> = { token: '/api/v1/generate-access-token/', list: '/api/v1/clients-list/' };

/** The path of "list?page_no=2", for example. */
export const pathOf = (target: string) => target.replace(/^\w+/, (endpoint) => PATHS[endpoint]);

interface Sent {
	method?: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
	patienceMs?: number;
}

export type Reply = Awaited<ReturnType<typeof send>>;

function parseJson(text: string) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Sends one request and reads its response to the end, or until the connection is lost. */
export async function send(url: string, { method = 'GET', patienceMs = 30_000, ...sent }: Sent = {}) {
	const startedMs = performance.now();
	const signal = AbortSignal.timeout(patienceMs);
	let [response, text, error]: [Dispatcher.ResponseData | undefined, string, string | undefined] = [
		undefined,
		'',
		undefined,
	];
	try {
		response = await request(url, { method: method as Dispatcher.HttpMethod, signal, ...sent });
		for await (const chunk of response.body.setEncoding('utf8')) text += chunk;
	} catch (cause) {
		const { name, code } = cause as NodeJS.ErrnoException;
		error = signal.aborted ? name : code;
	}
	const { statusCode: status, headers = {} } = response ?? {};
	const ms = performance.now() - startedMs;
	return { status, headers, text, json: error ? undefined : parseJson(text), error, ms };
}

/** Headers without a valid key or token. */
const OTHER_HEADERS: Record<string, (token: string) => Record<string, string>> = {
	'no-key': () => ({}),
	'wrong-key': () => ({ 'api-key': 'wrong', authorization: 'Bearer unknown' }),
	'bare-token': (token) => ({ 'api-key': '', authorization: token }),
	'lower-case': (token) => ({ authorization: `bearer ${token}` }),
	basic: () => ({ authorization: 'Basic eDp5' }),
};

/** Sends requests such as "GET list?page_no=2" or "POST token with no-key". Without "with", key and token are valid. */
export function createCaller({ app, environments }: Sandbox, name: EnvironmentName = 'sandbox') {
	const { url, apiKey } = environments[name];
	const { tokens } = app.environment(name);
	let token: string | undefined;
	return async (line: string, patienceMs?: number) => {
		const [, method, target, other] = /^(\S+) (\S+)(?: with (\S+))?$/.exec(line)!;
		token ??= tokens.issue();
		const headers = other ? OTHER_HEADERS[other](token) : { 'api-key': apiKey, authorization: `Bearer ${token}` };
		return await send(url + pathOf(target), { method, headers, patienceMs });
	};
}

/** Calls the control interface, as in "POST /clients". */
export async function control({ controlUrl }: Sandbox, line: string, body?: object | string) {
	const [method, path] = line.split(' ');
	const text = typeof body === 'object' ? JSON.stringify(body) : body;
	const { status, json } = await send(controlUrl + path, { method, body: text });
	return { status, body: json };
}
