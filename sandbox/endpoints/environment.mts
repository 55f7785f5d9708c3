import { Clients, type ClientsOptions } from '../data/clients.mts';
import { RateLimit } from './rateLimit.mts';
import { Tokens, type TokensOptions } from './tokens.mts';

export const ENVIRONMENT_NAMES = ['sandbox', 'production'] as const;
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number];

/** Each environment has its own key, clients, tokens and rate. */
export type Environment = ReturnType<typeof createEnvironment>;

export function createEnvironment(apiKey: string, options: ClientsOptions & TokensOptions) {
	return {
		apiKey,
		clients: new Clients(options),
		tokens: new Tokens(options),
		rateLimit: new RateLimit(options.now),
		counts: { token: 0, list: 0, other: 0 },
	};
}
