import { parseFault } from '../../../sandbox/faults/faults.mts';
import { TRAP } from '../cases/cases.mts';

const isBusyCode = (code: number) => [408, 425].includes(code) || (code >= 500 && code !== 501 && code !== 505);
const FORBIDDEN = /\b(error|problem|failure|failed|undefined|null|NaN|\[object)\b/i;

/** What a user has to read where this fault ends a run. */
function truthOf(text: string): RegExp {
	const { kind, code, endpoint } = parseFault(text.replace(TRAP, 'x'));
	if (['hang', 'dribble', 'latency'].includes(kind)) return /^Could not reach \S+: no complete answer within \d+ s/;
	if (kind.startsWith('reset')) return /^Could not reach \S+: it closed the connection before the answer was complete/;
	if (kind === 'redirect') return /points to another address/;
	// Once a service has given clients, something in between answered for it.
	if (kind === 'html')
		return /^(There is no client onboarding service at \S+|\S+ gave no clients): it answered with a web page, status 200/;
	if (kind === 'wrong-envelope')
		return /^(There is no client onboarding service at \S+|\S+ gave no clients): it answered with something else, status 200/;
	const isBusy = kind !== 'status' || isBusyCode(code);
	if (endpoint === 'token') {
		if (code === 401 || code === 403) return /^The API key was not accepted by /;
		return isBusy
			? /is busy or down and gave no access token \(status \d+\)/
			: new RegExp(`^There is no client onboarding service at \\S+: .*status ${code}`);
	}
	if (code === 401 || code === 403) return /refused a new access token/;
	if (kind.startsWith('rate-limit')) return /asks for fewer requests \(asked 5 times\)/;
	if (kind === 'truncated' || kind === 'empty') return /^The answer of \S+ was cut off \(asked 5 times\)/;
	return isBusy ? new RegExp(`is busy or down: status ${code} \\(asked 5 times\\)`) : /did not accept the request: \S/;
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
