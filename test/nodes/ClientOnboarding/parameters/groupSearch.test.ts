import { describe, expect, it, jest } from '@jest/globals';
import { idsOf, startService } from '../../../support/service.mts';

describe('The list of groups', () => {
	it('shows every group once with its number of clients, sorted by name', async () => {
		const service = await startService({ clients: 1200 });
		const sizes = new Map<string, number>();
		for (const { group_name: name } of service.app.environment('sandbox').served())
			sizes.set(name, (sizes.get(name) ?? 0) + 1);

		const { results } = await service.engine.searchGroups();
		const expected = [...sizes].sort(([a], [b]) => a.localeCompare(b));
		expect(results.map(({ value }) => value)).toEqual(expected.map(([value]) => value));
		results.forEach(({ name }, place) => expect(name).toMatch(`${expected[place][0]} (${expected[place][1]}`));
		expect(results.length).toBeGreaterThan(5);
	});

	it('is filtered by the typed text without case', async () => {
		const service = await startService({ clients: 300 });
		const all = (await service.engine.searchGroups()).results;
		const part = String(all[3].value).slice(1, 6);
		const { results } = await service.engine.searchGroups(`  ${part.toUpperCase()} `);
		expect(results).toEqual(all.filter(({ value }) => String(value).toLowerCase().includes(part.trim().toLowerCase())));
		expect(results).toContainEqual(all[3]);
	});

	it('is filtered by the typed text without accents', async () => {
		const service = await startService({ clients: 1 });
		service.app.environment('sandbox').clients.add({ group_name: 'Référencés' });
		for (const typed of ['refer', 'RÉFÉR', 'référencés'])
			expect((await service.engine.searchGroups(typed)).results).toEqual([
				{ name: 'Référencés (1)', value: 'Référencés' },
			]);
	});

	it('shows how many groups share a name', async () => {
		const service = await startService({ clients: 0 });
		const { clients } = service.app.environment('sandbox');
		for (const group_token of ['a', 'b', 'b']) clients.add({ group_name: 'Retail', group_token });
		expect((await service.engine.searchGroups()).results).toEqual([
			{ name: 'Retail (3, in 2 groups with this name)', value: 'Retail' },
		]);
	});

	it('is returned in pages of 100 groups', async () => {
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

	it('is read once for all searches within 30 seconds, also at the same time', async () => {
		const service = await startService({ clients: 300 });
		await Promise.all(['', 'r', 're'].map(async (typed) => await service.engine.searchGroups(typed)));
		const asked = service.listRequests().length;
		const { results } = await service.engine.searchGroups('ret');
		expect(results.length).toBeGreaterThan(0);
		expect(service.listRequests()).toHaveLength(asked);
		const once = await startService({ clients: 300 });
		await once.engine.searchGroups();
		expect(asked).toBe(once.listRequests().length);
	});

	it('is read again after 30 seconds', async () => {
		const service = await startService({ clients: 3 });
		const { clients } = service.app.environment('sandbox');
		const names = async () => (await service.engine.searchGroups()).results.map(({ value }) => value);
		await names();
		clients.add({ group_name: 'Newcomers' });
		expect(await names()).not.toContain('Newcomers');
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 30_000);
		expect(await names()).toContain('Newcomers');
		now.mockRestore();
	});

	it('is read again after the credential was edited', async () => {
		const [one, other] = [await startService({ clients: 30 }), await startService({ clients: 0 })];
		expect((await one.engine.searchGroups()).results).not.toEqual([]);
		const { url, apiKey } = other.environments.sandbox;
		one.engine.edit({ sandboxBaseUrl: url, apiKey });
		expect((await one.engine.searchGroups()).results).toEqual([]);
	});

	it('is read again after a read that failed', async () => {
		const service = await startService({ clients: 30, faults: ['html:times=1'] });
		await expect(service.engine.searchGroups()).rejects.toThrow();
		expect((await service.engine.searchGroups()).results).not.toEqual([]);
	});

	it('reports in one line that no credential is chosen', async () => {
		const service = await startService();
		service.engine.isCredentialChosen = false;
		await expect(service.engine.searchGroups()).rejects.toThrow(/^[^\n]*credential[^\n]*$/i);
		expect(service.requests).toEqual([]);
	});

	it('reports in one line that the API key is not accepted', async () => {
		const service = await startService();
		service.engine.edit({ apiKey: 'wrong' });
		await expect(service.engine.searchGroups()).rejects.toThrow(
			/^127\.0\.0\.1:\d+ does not accept the API key \(401\)[^\n]*$/,
		);
	});
});

describe('A group chosen from the list', () => {
	const NAMES = [
		'=VIP',
		'= VIP',
		'={{ $json.secret }}',
		'={{ broken',
		'={{ $("Nowhere").item.json.x }}',
		'==',
		'{{ $json.secret }}',
		' =Blank first',
		'All',
		'none',
		"'Quoted",
		'Retail',
	];

	it('filters by its exact name even if the name looks like an expression', async () => {
		const service = await startService({ clients: 0 });
		const { clients } = service.app.environment('sandbox');
		const ids = new Map(NAMES.map((group_name) => [group_name, clients.add({ group_name }).reference_id]));
		const { results } = await service.engine.searchGroups();
		expect(results.map(({ name }) => name.trim()).sort()).toEqual(NAMES.map((name) => `${name.trim()} (1)`).sort());

		for (const name of NAMES) {
			const chosen = results.find((result) => result.name.trim() === `${name.trim()} (1)`);
			expect([chosen?.name, chosen?.value].filter((text) => String(text).startsWith('='))).toEqual([]);
			// As the editor saves it.
			const groupName = { __rl: true, mode: 'list', value: chosen?.value, cachedResultName: chosen?.name };
			service.requests.length = 0;
			const { json, error } = await service.engine.run({
				parameters: { returnAll: true, filters: { groupName } } as never,
				input: [{ json: { secret: 'Retail' } }],
			});
			expect({ name, error }).toEqual({ name, error: undefined });
			expect({ name, ids: idsOf(json) }).toEqual({ name, ids: [ids.get(name)] });
			expect(service.listRequests()[0].query.group_name).toBe(name.trim());
		}
	});

	it('is one choice for names that differ only in spaces around them', async () => {
		const service = await startService({ clients: 0 });
		const { clients } = service.app.environment('sandbox');
		const ids = ['=VIP', ' =VIP', '=VIP  ', '  '].map(
			(group_name) => clients.add({ group_name, group_token: 'vip' }).reference_id,
		);
		const { results } = await service.engine.searchGroups();
		expect(results).toEqual([{ name: ' =VIP (3)', value: ' =VIP' }]);
		const groupName = { __rl: true, mode: 'list', value: results[0].value };
		const { json } = await service.engine.run({
			parameters: { returnAll: true, filters: { groupName }, options: { textMatch: 'part' } },
		});
		expect(idsOf(json)).toEqual(ids.slice(0, 3).sort());
	});
});
