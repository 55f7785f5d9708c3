import type { NodeApiError } from 'n8n-workflow';
import { isPageRefusal } from './answer';
import type { Outcome, Page } from './response';
import { pause, waitMs } from './waiting';

const MAX_TRIES = 5;
const TOO_LARGE = 413;
/** What does not look like the service at all may be something in between that answered for it once. */
const MAX_STRANGERS = 2;

export type Trouble = Exclude<Outcome, { kind: 'page' }>;

/**
 * A page, how long it took and whether the service was asked too much before it came; or the service's word that it does
 * not give this page in this way.
 */
export type PageAnswer =
	| { kind: 'page'; page: Page; tookMs: number; wasOverloaded: boolean }
	| { kind: 'refused'; status: number; error: NodeApiError }
	| { kind: 'tooLarge'; error: NodeApiError };

/** Tries until a page comes or trying again cannot help; `toError` puts what came instead into words. */
export async function askUntilAnswered(
	tryOnce: () => Promise<Outcome>,
	toError: (trouble: Trouble, tries: number) => NodeApiError,
	{ isHasty, stopped }: { isHasty: boolean; stopped: AbortSignal },
): Promise<PageAnswer> {
	let wasOverloaded = false;
	let hasBroken = false;
	let strangers = 0;
	for (let tries = 1; ; tries++) {
		const startedMs = Date.now();
		const outcome = await tryOnce();
		if (outcome.kind === 'page') return { ...outcome, tookMs: Date.now() - startedMs, wasOverloaded };
		const error = toError(outcome, tries);
		if (isAboutThisPage(outcome)) {
			const { status } = outcome;
			return status === TOO_LARGE ? { kind: 'tooLarge', error } : { kind: 'refused', status, error };
		}
		hasBroken ||= outcome.kind === 'busy' && outcome.status !== 429;
		// A gateway or a backend that cannot cope with a large page is too slow for it, or breaks each time.
		const mayBeTooLarge = outcome.kind === 'tooSlow' || (hasBroken && tries === MAX_TRIES);
		if (isHasty && mayBeTooLarge) return { kind: 'tooLarge', error };

		strangers += Number(isStranger(outcome));
		const mayPass = outcome.kind === 'busy' || outcome.kind === 'tooSlow' || isStranger(outcome);
		if (!mayPass || strangers === MAX_STRANGERS || tries === MAX_TRIES) throw error;
		wasOverloaded ||= outcome.kind === 'tooSlow' || (outcome.kind === 'busy' && outcome.status === 429);
		const askedMs = outcome.kind === 'busy' ? outcome.retryAfterMs : undefined;
		await pause(waitMs(tries, askedMs), stopped);
		if (stopped.aborted) throw error;
	}
}

function isStranger(trouble: Trouble): boolean {
	return trouble.kind === 'notThisService' || (trouble.kind === 'credentialRefused' && trouble.isStranger === true);
}

/** Another page, or this one in another way, may well come. */
function isAboutThisPage(trouble: Trouble): trouble is Trouble & { status: number } {
	if (trouble.kind === 'refused') return true;
	return trouble.kind === 'notThisService' && (isPageRefusal(trouble.status) || trouble.isNothing === true);
}
