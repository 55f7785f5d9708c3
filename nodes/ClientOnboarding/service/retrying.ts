import type { NodeApiError } from 'n8n-workflow';
import { isPageRefusal } from './answer';
import type { Outcome, Page } from './response';
import { pause, waitMs } from './waiting';

const MAX_TRIES = 5;
const TOO_LARGE = 413;
/** What does not look like the service at all may be something in between that answered for it once. */
const MAX_STRANGERS = 3;

export type Trouble = Exclude<Outcome, { kind: 'page' }>;

/**
 * A page, how long it took and whether the service was asked too much before it came; or the service's word that it does
 * not give this page in this way.
 */
export type PageAnswer =
	| { kind: 'page'; page: Page; tookMs: number; wasOverloaded: boolean }
	| { kind: 'refused'; status: number; error: NodeApiError }
	| { kind: 'tooLarge'; error: NodeApiError };

/** It broke each time, and nobody can tell yet whether because of its size. */
export interface Broken {
	kind: 'broken';
	error: NodeApiError;
}

export interface Manner {
	/** A page that takes too long or breaks each time is given up, since a smaller one may come. */
	isHasty?: boolean;
	/** The first page has to be there, so that what denies it is asked once more. */
	isFirst?: boolean;
	/** Once is enough to know. */
	isProbe?: boolean;
}

/** Tries until a page comes or trying again cannot help; `toError` puts what came instead into words. */
export async function askUntilAnswered(
	tryOnce: () => Promise<Outcome>,
	toError: (trouble: Trouble, tries: number) => NodeApiError,
	{ isHasty, isFirst, isProbe, stopped }: Manner & { stopped: AbortSignal },
): Promise<PageAnswer | Broken> {
	const mostTries = isProbe ? 1 : MAX_TRIES;
	let wasOverloaded = false;
	let hasBroken = false;
	let strangers = 0;
	for (let tries = 1; ; tries++) {
		const startedMs = Date.now();
		const outcome = await tryOnce();
		if (outcome.kind === 'page') return { ...outcome, tookMs: Date.now() - startedMs, wasOverloaded };
		const error = toError(outcome, tries);
		const isDenied = isFirst && tries === 1 && isStranger(outcome);
		if (isAboutThisPage(outcome) && !isDenied) {
			const { status } = outcome;
			return status === TOO_LARGE ? { kind: 'tooLarge', error } : { kind: 'refused', status, error };
		}
		hasBroken ||= outcome.kind === 'busy' && outcome.status !== 429 && !outcome.isOfToken;
		// A gateway or a backend that cannot cope with a large page is too slow for it, or breaks each time.
		const isBroken = tries === mostTries && (hasBroken || outcome.kind === 'tooSlow');
		if (isHasty && (isBroken || outcome.kind === 'tooSlow')) return { kind: 'tooLarge', error };
		if (isBroken) return { kind: 'broken', error };

		strangers += Number(isStranger(outcome));
		const mayPass = outcome.kind === 'busy' || outcome.kind === 'tooSlow' || isStranger(outcome);
		if (!mayPass || strangers === MAX_STRANGERS || tries === mostTries) throw error;
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
