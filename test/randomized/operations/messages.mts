import { parseFault } from '../../../sandbox/faults/faults.mts';
import { TRAP } from './cases.mts';

const FORBIDDEN = /\b(error|problem|failure|failed|undefined|null|NaN|\[object)\b/i;

export const WARNING = /^The (service reports|list kept changing) .* Some may be missing(, and some may not exist)?\.$/;

export type FaultClass = 'temporary' | 'rateLimited' | 'refused' | 'strange';

export function readFault(text: string) {
	const fault = parseFault(text.replace(TRAP, 'x'));
	return { ...fault, class: classOf(fault) };
}

function classOf({ kind, code }: ReturnType<typeof parseFault>): FaultClass {
	if (kind.startsWith('rate-limit')) return 'rateLimited';
	if (code === 401 || code === 403) return 'refused';
	if (kind === 'redirect' || ((kind === 'html' || kind === 'wrong-envelope') && code < 500)) return 'strange';
	return 'temporary';
}

const DESCRIBED = {
	html: 'a web page \\(status 200\\)',
	'wrong-envelope': 'unexpected data \\(status 200\\)',
	redirect: 'a redirect to another address \\(status 302\\)',
};

/** The message if this fault of the list endpoint ends a run. */
function listMessage({ kind, code, ...fault }: ReturnType<typeof readFault>): string {
	if (fault.class === 'rateLimited') return '^Rate limit reached on \\S+ \\(429\\)$';
	if (fault.class === 'refused') return `^\\S+ refused 8 new access tokens in a row \\(status ${code}\\)$`;
	if (fault.class === 'strange') {
		const returned = DESCRIBED[kind as keyof typeof DESCRIBED];
		return `^\\S+ returned ${returned} instead of clients`;
	}
	if (['hang', 'dribble', 'latency'].includes(kind))
		return '^Timeout: no complete response from \\S+ within \\d+ second';
	if (kind.startsWith('reset'))
		return '^Could not reach \\S+: the connection was closed before the response was complete';
	// Half of a refused response is not a refusal any more.
	if (kind === 'truncated') return '^The response from \\S+ was incomplete|returned unexpected data \\(status 4';
	if (kind === 'empty') return '^The response from \\S+ was incomplete';
	return `^\\S+ is unavailable: status ${code}`;
}

/** The same for the token endpoint. */
function tokenMessage({ kind, code, ...fault }: ReturnType<typeof readFault>): string {
	if (fault.class === 'rateLimited') return '^Rate limit reached on \\S+ \\(429\\): no access token';
	if (code === 401) return '^\\S+ does not accept the API key \\(401\\)';
	// The response to the other method may be reported instead.
	if (fault.class === 'refused' || fault.class === 'strange')
		return '^(\\S+ returned no access token \\(status \\d+\\)|\\S+ returned .* instead of an access token)';
	if (kind.startsWith('reset')) return '^Could not get an access token from \\S+: the connection was closed';
	return '^\\S+ is unavailable and returned no access token \\(status \\d+\\)';
}

export interface Message {
	name: string;
	message: string;
	description?: unknown;
}

/** The faults of a message, given the host and the faults of the run. */
export function judgeMessage({ name, message, description }: Message, host: string, faults: string[]): string[] {
	const broken: string[] = [];
	if (!['NodeApiError', 'NodeOperationError'].includes(name))
		broken.push(`a raw ${name} instead of a message for users: ${message}`);
	if (!message.includes(host)) broken.push(`a message that does not name ${host}: ${message}`);
	if (FORBIDDEN.test(`${message} ${String(description ?? '')}`))
		broken.push(`a message with a word that helps nobody: ${message} ${String(description ?? '')}`);
	const isTrue = faults.map(readFault).some((fault) => {
		const expected = fault.endpoint === 'token' ? tokenMessage(fault) : listMessage(fault);
		return new RegExp(expected).test(message);
	});
	if (!isTrue) broken.push(`a message that is not true (${faults.join(' ') || 'no fault was met'}): ${message}`);
	return broken;
}
