import { describe, expect, it } from '@jest/globals';
import { startService } from '../../../support/service.mts';

describe('The list of groups', () => {
	it('has every group once with its number of clients, sorted by name', async () => {
		const service = await startService({ clients: 1200 });
		const sizes = new Map<string, number>();
		for (const { group_name: name } of service.app.environment('sandbox').served())
			sizes.set(name, (sizes.get(name) ?? 0) + 1);

		const { results } = await service.engine.searchGroups();
		const expected = [...sizes].sort(([a], [b]) => a.localeCompare(b));
		expect(results).toEqual(expected.map(([value, size]) => ({ name: `${value} (${size})`, value })));
		expect(results.length).toBeGreaterThan(5);
	});

	it('is narrowed by what is typed, in any case', async () => {
		const service = await startService({ clients: 300 });
		const all = (await service.engine.searchGroups()).results;
		const part = String(all[3].value).slice(1, 6);
		const { results } = await service.engine.searchGroups(`  ${part.toUpperCase()} `);
		expect(results).toEqual(all.filter(({ value }) => String(value).toLowerCase().includes(part.trim().toLowerCase())));
		expect(results).toContainEqual(all[3]);
	});

	it('comes in portions where there are many', async () => {
		const service = await startService({ clients: 1 });
		const { clients } = service.app.environment('sandbox');
		for (let number = 1; number <= 250; number++)
			clients.add({ group_name: `Group ${String(number).padStart(3, '0')}` });
		const names: unknown[] = [];
		let portions = 0;
		let token: string | undefined;
		do {
			const { results, paginationToken } = await service.engine.searchGroups('group', token as string | undefined);
			names.push(...results.map(({ value }) => value));
			token = paginationToken as string | undefined;
			portions += 1;
		} while (token);
		expect(portions).toBe(3);
		expect(new Set(names).size).toBe(250);
	});

	it('leaves out clients without a group', async () => {
		const service = await startService({
			clients: 3,
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint !== 'list') return;
				const { results } = (body as { data: { results: Array<Record<string, unknown>> } }).data;
				results.forEach((client, index) => (results[index] = { ...client, group_name: [null, '', 'Kept'][index] }));
			},
		});
		expect((await service.engine.searchGroups()).results).toEqual([{ name: 'Kept (1)', value: 'Kept' }]);
	});

	it('says in one line when no credential is chosen', async () => {
		const service = await startService();
		service.engine.isCredentialChosen = false;
		await expect(service.engine.searchGroups()).rejects.toThrow(/^[^\n]*credential[^\n]*$/i);
		expect(service.requests).toEqual([]);
	});

	it('says in one line when the key is not accepted', async () => {
		const service = await startService();
		service.engine.edit({ apiKey: 'wrong' });
		await expect(service.engine.searchGroups()).rejects.toThrow(/^The API key was not accepted/);
	});
});
