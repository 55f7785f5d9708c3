import type { AskForPage, ServiceOptions } from '../service/connection';
import { openService } from '../service/connection';
import type { Context } from '../service/request';
import { Pace } from './pace';

/** Where pages come from, and how many are asked for at once. All who read from one source share its pace. */
export interface Source {
	readonly ask: AskForPage;
	readonly pace: Pace;
}

export async function openSource(
	context: Context,
	{ parallelRequests, ...options }: ServiceOptions & { parallelRequests: number },
): Promise<Source> {
	return { ask: await openService(context, options), pace: new Pace(parallelRequests) };
}
