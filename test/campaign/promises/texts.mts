import { parseFault } from '../../../sandbox/faults/faults.mts';
import { TRAP } from '../cases/cases.mts';

const isBusyCode = (code: number) => [408, 425].includes(code) || (code >= 500 && ![501, 505, 511].includes(code));
const FORBIDDEN = /\b(error|problem|failure|failed|undefined|null|NaN|\[object)\b/i;

const whatCame = (kind: string) => ({ html: 'a web page', empty: 'nothing at all' })[kind] ?? 'something else';

/** What a user has to read where this fault ends a run. */
function truthOf(text: string): RegExp {
	const { kind, code, endpoint } = parseFault(text.replace(TRAP, 'x'));
	if (['hang', 'dribble', 'latency'].includes(kind)) return /^Could not reach \S+: no complete answer within \d+ s/;
	if (kind.startsWith('reset')) return /^Could not reach \S+: it closed the connection before the answer was complete/;
	if (kind === 'redirect') return /points to another address/;
	if (code === 401 || code === 403) {
		const ofKey =
			kind === 'status'
				? '\\. Check that it is whole'
				: `: it answered with ${whatCame(kind)}, status ${code}\\. Check`;
		return endpoint === 'token'
			? new RegExp(`^The API key was not accepted by \\S+${ofKey}`)
			: /refused a new access token/;
	}
	const isBusy = kind.startsWith('rate-limit') || isBusyCode(code);
	if (isBusy && endpoint === 'token') return /is busy or down and gave no access token \(status \d+\)/;
	if (kind.startsWith('rate-limit')) return /asks for fewer requests \(asked 5 times\)/;
	if (isBusy) return new RegExp(`is busy or down: status ${code} \\(asked 5 times\\)`);
	if (kind === 'truncated' || (kind === 'empty' && code < 300)) {
		if (endpoint === 'token') return /gave no access token: its answer was empty or cut off \(status 20[04]\)/;
		return code === 204 ? /: its answer is empty/ : /^The answer of \S+ was cut off \(asked 5 times\)/;
	}
	if (kind === 'status' && endpoint === 'list') return /did not accept the request: \S/;
	// Wrong paths and methods are told as a wrong address.
	if (kind === 'status' && ![404, 405, 501].includes(code))
		return new RegExp(`gave no access token \\(status ${code}\\)\\. Check the API key`);
	// Once a service has given clients, something in between answered for it.
	return new RegExp(
		`^(There is no client onboarding service at \\S+|\\S+ gave no clients): it answered with ${whatCame(kind)}, status ${code ?? 200}`,
	);
}

export interface Told {
	name: string;
	message: string;
	description?: unknown;
}

/** What is wrong with a message, given the host it is about and the faults that were met. */
export function judgeText({ name, message, description }: Told, host: string, faults: string[]): string[] {
	const broken: string[] = [];
	if (!['NodeApiError', 'NodeOperationError'].includes(name))
		broken.push(`a raw ${name} instead of a message for users: ${message}`);
	if (!message.includes(host)) broken.push(`a message that does not name ${host}: ${message}`);
	if (FORBIDDEN.test(`${message} ${description ?? ''}`))
		broken.push(`a message with a word that helps nobody: ${message} ${description ?? ''}`);
	if (!faults.some((fault) => truthOf(fault).test(message)))
		broken.push(`a message that is not true (${faults.join(' ') || 'nothing was wrong'}): ${message}`);
	return broken;
}
