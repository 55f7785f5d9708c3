import { expect } from '@jest/globals';
import type { RunResult } from './engine.mts';
import { idsOf, type Service } from './service.mts';

/** Parameters that list all clients. */
export const pagesOf = (pageSize: number, parallelRequests: number) => ({
	returnAll: true,
	options: { pageSize, parallelRequests },
});

export function expectAllClients({ json, error, hints }: RunResult, service: Service): void {
	expect({ error: error?.message, hints }).toEqual({ error: undefined, hints: [] });
	expect(idsOf(json)).toEqual(service.ids());
}
