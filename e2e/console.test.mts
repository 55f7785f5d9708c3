import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../sandbox/data/client.mts';
import { CREDENTIAL_TYPE, fillIn, readExample } from '../tools/n8n/examples.mts';
import { Console } from './support/console.mts';
import { startService, type Service } from './support/service.mts';
import { sharedN8n } from './support/shared.mts';
import { OFTEN } from './support/trigger.mts';
import { until } from './support/until.mts';
import { closeBrowser } from './support/window.mts';

const PATIENCE_MS = 240_000;
const MARKUP = `<img src=x onerror="document.title='taken over'"><script>document.title='taken over'</script>`;
/** With this seed, the installed fonts have all characters of the newest names. */
const PICTURE_SEED = 10;
/** Pictures show the default ports. Otherwise, other tests may use them at the same time. */
const PORTS = process.env.E2E_SCREENSHOTS ? { port: 4010, controlPort: 4012 } : {};

const runInShell = promisify(execFile);
const opened: Console[] = [];

async function open(options: Parameters<typeof startService>[0] = {}, scheme?: 'light' | 'dark') {
	const service = await startService({ clients: 250, createdUntilMs: Date.now(), control: true, ...options });
	const console = await Console.open(service.controlUrl.replace('127.0.0.1', 'localhost'), scheme);
	opened.push(console);
	return { service, console, clients: service.app.environment('sandbox').clients };
}

const statusOf = (service: Service, id: string) =>
	service.app.environment('sandbox').clients.get(id)?.request_status.toLowerCase();

/** With one token; returns the status of the last response. */
async function readList({ environments }: Service, ...searches: string[]): Promise<number> {
	const { url, apiKey } = environments.sandbox;
	const reply = await fetch(`${url}/api/v1/generate-access-token/`, { headers: { 'api-key': apiKey } });
	const { data } = (await reply.json()) as { data: { access_token: string } };
	const authorization = `Bearer ${data.access_token}`;
	let status = 0;
	for (const search of searches.length > 0 ? searches : ['']) {
		({ status } = await fetch(`${url}/api/v1/clients-list/${search}`, { headers: { authorization } }));
	}
	return status;
}

afterAll(closeBrowser);
afterEach(async () => {
	const closed = opened.splice(0);
	for (const console of closed) {
		await console.screenshot('end');
		await console.close();
	}
	expect(closed.flatMap(({ complaints }) => complaints)).toEqual([]);
});

describe('A user of the sandbox console', () => {
	it('searches, filters, sorts and changes pages', async () => {
		const { console, clients } = await open();
		const { page, rows } = console;
		const range = page.locator('#range');
		await expect(range.textContent()).resolves.toBe('1 to 25 of 250');
		await console.button('Next').click();
		await until(async () => (await range.textContent()) === '26 to 50 of 250');
		await console.button('Last page').click();
		await until(async () => (await range.textContent()) === '226 to 250 of 250');

		const wanted = [...clients.all()][100];
		await page.getByRole('searchbox').fill(wanted.email.toUpperCase());
		await until(async () => (await rows.count()) < 25);
		await console.row(wanted.client_name).first().waitFor();

		await page.getByRole('searchbox').fill('');
		await console.choice('Status').selectOption('completed');
		await console.choice('Type').selectOption('company');
		await console.choice('Group').selectOption(wanted.group_name);
		const matching = [...clients.all()].filter(
			({ request_status, client_type, group_name }) =>
				request_status === 'Completed' && client_type === 'company' && group_name === wanted.group_name,
		);
		await until(async () => (await range.textContent())?.endsWith(`of ${matching.length}`));

		for (const name of ['Status', 'Type', 'Group']) await console.choice(name).selectOption('');
		await console.choice('Sort').selectOption('oldest');
		const [oldest] = clients.all();
		await until(async () => (await rows.first().textContent())?.includes(oldest.email));
	});

	it('changes a status in the table, undoes it, and repeats it with the shown command', async () => {
		const { console, service } = await open();
		const row = console.rows.nth(3);
		const [id, name] = [await row.getAttribute('data-id'), await row.locator('strong').textContent()];
		const before = statusOf(service, id!)!;
		const after = before === 'declined' ? 'accepted' : 'declined';
		await row.getByRole('combobox').selectOption(after);
		await console.done.getByText(`${name} set to ${after}`).waitFor();
		expect(statusOf(service, id!)).toBe(after);

		const command = await console.command();
		await console.button('Undo').click();
		await console.done.getByText(`${name} set back to ${before}`).waitFor();
		expect(statusOf(service, id!)).toBe(before);
		await runInShell('bash', ['-c', command]);
		expect(statusOf(service, id!)).toBe(after);
		// The page shows changes that others make.
		await until(async () => (await row.getByRole('combobox').inputValue()) === after);

		await console.button('Copy command').click();
		const copied = () => console.page.evaluate(() => navigator.clipboard.readText());
		await until(async () => (await copied()) === (await console.command()));
	});

	it('adds, edits, removes and restores a client, and adds another one with the shown command', async () => {
		const { console, service, clients } = await open();
		const { page } = console;
		const dialog = page.getByRole('dialog');
		await console.button('Add client').first().click();
		await dialog.getByLabel('Name').fill("Ada O'Brien & Söhne");
		await dialog.getByLabel('Email').fill('ada@example.com');
		await dialog.getByLabel('Group').fill('Brand New');
		await dialog.getByRole('button', { name: 'Add client' }).click();
		await dialog.waitFor({ state: 'hidden' });
		const row = console.row("Ada O'Brien & Söhne");
		await row.waitFor();
		const id = (await row.getAttribute('data-id'))!;
		expect(clients.get(id)).toMatchObject({ client_name: "Ada O'Brien & Söhne", group_name: 'Brand New' });
		await console.choice('Group').selectOption('Brand New');
		await runInShell('bash', ['-c', await console.command()]);
		await until(async () => (await row.count()) === 2);

		await console.page.locator(`tr[data-id="${id}"]`).getByRole('button', { name: /^Edit/ }).click();
		await dialog.getByLabel('Name').fill('Ada Lovelace');
		await dialog.getByLabel('Request status').selectOption('completed');
		await dialog.getByRole('button', { name: 'Save' }).click();
		await console.row('Ada Lovelace').waitFor();
		expect(clients.get(id)).toMatchObject({
			client_name: 'Ada Lovelace',
			request_status: 'Completed',
			email: 'ada@example.com',
		});

		await console.row('Ada Lovelace').getByRole('button', { name: 'Remove' }).press('Enter');
		await console.row('Ada Lovelace').waitFor({ state: 'detached' });
		expect(clients.get(id)).toBeUndefined();
		// After a removal by keyboard, the focus moves to the next row.
		await until(() => console.page.evaluate(() => document.activeElement?.textContent === 'Remove'));
		await console.button('Undo').click();
		await console.row('Ada Lovelace').waitFor();
		expect(clients.get(id)).toMatchObject({ client_name: 'Ada Lovelace', request_status: 'Completed' });
		expect(service.app.environment('production').clients.revision).toBe(0);
	});

	it('sees in the form why a client cannot be saved, and keeps the typed text', async () => {
		const { console, clients } = await open();
		const dialog = console.page.getByRole('dialog');
		const row = console.rows.first();
		const id = (await row.getAttribute('data-id'))!;
		await row.getByRole('button', { name: /^Edit/ }).click();
		await dialog.getByLabel('Name').fill('Typed with care');
		clients.remove(id);
		await dialog.getByRole('button', { name: 'Save' }).click();
		await dialog.getByText(`No client of the sandbox environment has the reference_id "${id}".`).waitFor();
		expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed with care');
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		console.complaints.splice(0);
	});

	it('selects clients on several pages, removes them and restores them', async () => {
		const { console, clients } = await open();
		const before = clients.ids();
		await console.page.getByRole('checkbox', { name: 'Select all on this page' }).check();
		await console.button('Next').click();
		await until(async () => (await console.page.locator('#range').textContent())?.startsWith('26 '));
		await console.rows.first().getByRole('checkbox').check();
		await console.button('Remove 26 clients').click();
		await console.done.getByText('26 clients removed').waitFor();
		expect(clients.size).toBe(224);
		await console.button('Undo').click();
		await until(() => clients.size === 250);
		expect(clients.ids().sort()).toEqual(before.sort());
	});

	it('sets the status of several clients, and takes it back', async () => {
		const { console, service } = await open();
		const ids: string[] = [];
		for (const index of [0, 2, 5]) {
			await console.rows.nth(index).getByRole('checkbox').check();
			ids.push((await console.rows.nth(index).getAttribute('data-id'))!);
		}
		const before = ids.map((id) => statusOf(service, id));
		await console.choice('New status of the selected clients').selectOption('declined');
		await console.button('Set status of 3 clients').click();
		await console.done.getByText('3 clients set to declined').waitFor();
		expect(ids.map((id) => statusOf(service, id))).toEqual(['declined', 'declined', 'declined']);
		await console.button('Undo').click();
		await until(() => ids.every((id, index) => statusOf(service, id) === before[index]));
		await console.button('Clear selection').click();
		await console.button('Clear selection').waitFor({ state: 'hidden' });
	});

	it('copies the reference ID of a client with a click', async () => {
		const { console } = await open();
		const row = console.rows.nth(2);
		const id = (await row.getAttribute('data-id'))!;
		await row.getByRole('button', { name: id }).click();
		await row.getByText('Copied').waitFor();
		expect(await console.page.evaluate(() => navigator.clipboard.readText())).toBe(id);
		await row.getByText(id).waitFor();
	});

	it('keeps the chosen sort when clients are added and when the page is loaded again', async () => {
		const { console, clients } = await open();
		await console.choice('Sort').selectOption('oldest');
		const [oldest] = clients.all();
		const isOldestFirst = async () => (await console.rows.first().textContent())?.includes(oldest.email);
		await until(isOldestFirst);
		await console.button('Add 10 clients').click();
		await until(async () => (await console.page.locator('#range').textContent()) === '1 to 25 of 260');
		expect(await isOldestFirst()).toBe(true);
		await console.page.reload();
		await until(isOldestFirst);
		expect(await console.choice('Sort').inputValue()).toBe('oldest');
	});

	it('keeps showing how long ago clients were added', async () => {
		const { console } = await open();
		await console.page.clock.install();
		await console.page.reload();
		await console.button('Add 10 clients').click();
		await until(async () => (await console.page.getByText('just now').count()) === 10);
		await console.page.clock.fastForward('03:30');
		await until(async () => (await console.page.getByText('3 minutes ago').count()) === 10);
	});

	it('adds 10 clients, and changes statuses automatically', async () => {
		const { console, clients } = await open();
		await console.button('Add 10 clients').click();
		await until(() => clients.size === 260);
		await until(async () => (await console.page.getByText('just now').count()) === 10);
		const slider = console.page.getByRole('slider', { name: 'Change statuses automatically' });
		await slider.focus();
		await slider.press('End');
		await console.page.getByText('60 a minute', { exact: true }).waitFor();
		const { revision } = clients;
		await until(() => clients.revision > revision);
		await slider.press('Home');
		await console.page.getByText('Off', { exact: true }).waitFor();
	});

	it('switches between the two environments, which are separate', async () => {
		const { console, service, clients } = await open({ productionClients: 40 });
		await console.page.getByRole('radio', { name: /^Production/ }).click();
		await until(async () => (await console.page.locator('#range').textContent())?.endsWith('of 40'));
		await console.button('Add 10 clients').click();
		await until(() => service.app.environment('production').clients.size === 50);
		await until(async () => (await console.command()).includes('environment=production'));
		expect(clients.size).toBe(250);
		await console.page.getByRole('radio', { name: /^Sandbox/ }).click();
		await console.button('Undo').waitFor({ state: 'hidden' });
	});

	it('changes settings, and sees which are not the default', async () => {
		const { console, service } = await open();
		await console.chooseTab('Behavior');
		await console.choice('Order of the list').selectOption('shuffled');
		await console.page.getByText('1 setting changed: Order of the list').waitFor();
		expect(service.app.behavior().order).toBe('shuffled');
		await console.page.getByRole('tab', { name: 'Behavior 1' }).waitFor();
		await console.button('Reset all settings').click();
		await console.page.getByText('All settings are at their defaults', { exact: true }).waitFor();
		expect(service.app.behavior().order).toBe('created-ascending');
		await console.choice('Invalid access token').waitFor({ state: 'hidden' });
		await console.page.getByText('Advanced: Access tokens').click();
		await console.choice('Invalid access token').waitFor();
		expect(await console.page.locator('[data-setting]').count()).toBe(Object.keys(service.app.behavior()).length);
	});

	it('adds a fault, sees it in the log of requests, revokes tokens and clears all faults', async () => {
		const { console, service } = await open();
		await console.chooseTab('Faults and tokens');
		await console.page.getByLabel('Status code').fill('502');
		await console.page.getByLabel('Requests to affect').fill('1');
		await console.button('Add fault').click();
		await console.page.getByText('1 active fault', { exact: true }).waitFor();
		expect(await readList(service, '?page_limit=5&group_name=Retail+Customers')).toBe(502);
		expect(await readList(service)).toBe(200);
		const line = console.page.getByRole('log').getByRole('listitem').filter({ hasText: '502' });
		await line.getByText('HTTP error').waitFor();
		await line.getByText('GET /api/v1/clients-list/?page_limit=5&group_name=Retail Customers').waitFor();
		await console.page.getByText('Done: affected 1 of 2 requests').waitFor();
		await console.page.getByText('2 access tokens are valid.').waitFor();
		await console.button('Revoke all tokens').click();
		await console.page.getByText('No access token is valid.').waitFor();
		await console.button('Clear all faults').click();
		await console.page.getByText('No active faults', { exact: true }).waitFor();
	});

	it('removes one of two faults', async () => {
		const { console, service } = await open({ faults: ['status', 'hang:times=2'] });
		await console.chooseTab(/^Faults/);
		await console.page.getByText('503 for the list, always').waitFor();
		await console.button('Remove No response for the list, 2 times').click();
		await console.done.getByText('Fault removed: No response for the list, 2 times').waitFor();
		expect(service.app.faults()).toMatchObject([{ fault: 'status:code=503' }]);
		await console.page.getByText('1 active fault', { exact: true }).waitFor();
	});

	it('sees why a fault is refused', async () => {
		const { console } = await open();
		await console.chooseTab('Faults and tokens');
		await console.page.getByLabel('Status code').fill('200');
		await console.button('Add fault').click();
		await console.page
			.getByText('The fault parameter code must be a whole number from 400 to 599, not "200".')
			.waitFor();
		console.complaints.splice(0);
	});

	it('sees markup in fields as text', async () => {
		const { console, service, clients } = await open({ clients: 3 });
		const fields = ['client_name', 'email', 'group_name', 'group_token', 'client_status', 'reference_id'];
		const odd = clients.add(
			Object.fromEntries(fields.map((field) => [field, `${MARKUP} ${field}`])) as Partial<Client>,
		);
		clients.setStatus(odd.reference_id, `${MARKUP} status`);
		await console.row(odd.client_name).waitFor();
		await readList(service, `?client_email=${encodeURIComponent(MARKUP)}`);
		await console.page.getByRole('log').getByText(MARKUP).waitFor();
		await console.choice('Group').selectOption(odd.group_name);
		await console.row(odd.client_name).getByRole('button', { name: /^Edit/ }).click();
		await console.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
		await console.page
			.locator('#rows tr')
			.getByRole('button', { name: /^Remove/ })
			.click();
		await console.done.getByText('removed').waitFor();
		expect(await console.page.title()).toBe('Client Onboarding Sandbox');
		expect(await console.page.locator('img').count()).toBe(1);
		expect(await console.page.locator('script').count()).toBe(1);
	});

	it('switches tabs and environments with the keyboard, and every control has a name', async () => {
		const { console } = await open({ clients: 2 });
		const { page } = console;
		await page.getByRole('tab', { name: 'Clients' }).focus();
		await page.keyboard.press('ArrowRight');
		await page.getByText('No messages yet').waitFor();
		await page.keyboard.press('ArrowRight');
		await page.getByText('All settings are at their defaults').waitFor();
		await page.keyboard.press('ArrowLeft');
		await page.keyboard.press('ArrowLeft');
		await page.getByRole('radio', { name: /^Sandbox/ }).focus();
		await page.keyboard.press('ArrowRight');
		await page.getByRole('radio', { name: /^Production/, checked: true }).waitFor();
		for (const tab of ['Clients', 'Behavior', /^Faults/]) {
			await console.chooseTab(tab);
			await console.unfold();
			const snapshot = await page.locator('body').ariaSnapshot();
			expect(
				snapshot.match(/^\s*- (button|checkbox|combobox|textbox|spinbutton|slider|searchbox|tab|radio)(:|$| \[)/gm),
			).toBeNull();
		}
	});

	it.each([320, 390, 768, 939, 940, 1024, 1260, 1280, 1440])(
		'does not have to scroll sideways in a window %i pixels wide',
		async (width) => {
			const { console } = await open();
			await console.page.setViewportSize({ width, height: 800 });
			for (const tab of ['Clients', 'Behavior', /^Faults/]) {
				await console.chooseTab(tab);
				await console.unfold();
				const excess = await console.page.evaluate(() => {
					const boxes = [document.documentElement, ...Array.from(document.querySelectorAll('.table'))];
					return boxes.map((box) => box.scrollWidth - box.clientWidth);
				});
				await console.screenshot(`${width}-wide`);
				expect(excess).toEqual([0, 0]);
			}
		},
	);

	it('can have nine pages open that all get updates', async () => {
		const { console, service, clients } = await open();
		const others = [];
		for (let count = 0; count < 8; count++) {
			const page = await console.page.context().newPage();
			await page.goto(console.page.url());
			await page.locator('#rows tr').first().waitFor();
			others.push(page);
		}
		await others[7].getByRole('button', { name: 'Add 10 clients' }).click();
		await until(() => clients.size === 260);
		for (const page of [console.page, ...others])
			await until(async () => (await page.locator('#range').textContent()) === '1 to 25 of 260');
		// One page receives the events for all. When it is closed, another one takes over.
		await console.page.goto('about:blank');
		await readList(service);
		await others[3].getByRole('log').getByText('GET /api/v1/clients-list/').waitFor();
	});

	it('sees it light or dark, as the browser is set', async () => {
		const grounds = new Set<string>();
		for (const scheme of ['light', 'dark'] as const) {
			const { console, service } = await open({ seed: PICTURE_SEED, ...PORTS }, scheme);
			await readList(service, ...[1, 2, 3].map((page) => `?page_no=${page}&page_limit=100`));
			await console.rows.nth(3).getByRole('combobox').selectOption('declined');
			await console.done.getByText('set to declined').waitFor();
			await console.page.locator('tr.fresh').waitFor();
			grounds.add(await console.page.evaluate(() => getComputedStyle(document.body).backgroundColor));
			await console.screenshot(scheme, `console-${scheme}`);
			// Frees the ports for the next sandbox.
			await console.page.goto('about:blank');
			await service.close();
		}
		expect(grounds.size).toBe(2);
	});

	it('sees that the sandbox has stopped, and goes on when it is back', async () => {
		const { console, service } = await open();
		const { page } = console;
		const controlPort = Number(new URL(service.controlUrl).port);
		await console.rows.nth(1).getByRole('checkbox').check();
		await service.close();
		await page.getByText('The sandbox is not responding. It may have been stopped').waitFor();
		const choice = console.rows.first().getByRole('combobox');
		const before = await choice.inputValue();
		await choice.selectOption(before === 'declined' ? 'pending' : 'declined');
		await page.getByText('The sandbox is not responding. Check that it is running, then try again.').waitFor();
		await until(async () => (await choice.inputValue()) === before);

		await startService({ clients: 30, control: true, controlPort });
		await until(async () => (await page.locator('#range').textContent()) === '1 to 25 of 30');
		await page.getByText('The sandbox is not responding').first().waitFor({ state: 'hidden' });
		await until(async () => !(await page.getByText(/^Remove 1 client/).isVisible()));
		console.complaints.splice(0);
	});

	it('removes selected clients although one is already gone, and undoes what is possible', async () => {
		const { console, clients } = await open();
		const ids: string[] = [];
		for (const index of [0, 1, 2]) {
			await console.rows.nth(index).getByRole('checkbox').check();
			ids.push((await console.rows.nth(index).getAttribute('data-id'))!);
		}
		clients.remove(ids[0]);
		await until(async () => (await console.page.locator('#range').textContent())?.endsWith('of 249'));
		await console.button('Remove 3 clients').click();
		await console.done.getByText('2 clients removed').waitFor();
		clients.add({ reference_id: ids[1] });
		await console.button('Undo').click();
		await console.page.getByText(`The reference_id "${ids[1]}" is already taken.`).waitFor();
		await until(() => clients.get(ids[2]) !== undefined);
		await console.done.getByText('1 of 2 clients restored').waitFor();
		console.complaints.splice(0);
	});

	it(
		'sees 100,000 clients at most five times slower than 250, in a page of the same size',
		async () => {
			const measure = async (clients: number) => {
				const { console, service } = await open({ clients });
				const { page } = console;
				const listedMs = await page.evaluate(() => performance.now());
				const shownMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
				const searchedMs = await page.evaluate(async () => {
					const search = document.querySelector<HTMLInputElement>('#search')!;
					const startedMs = performance.now();
					const changed = new Promise((resolve) =>
						new MutationObserver(resolve).observe(document.querySelector('#rows')!, { childList: true }),
					);
					search.value = 'silva';
					search.dispatchEvent(new Event('input'));
					await changed;
					return performance.now() - startedMs;
				});
				await Promise.all(Array.from({ length: 300 }, () => readList(service)));
				await until(async () => (await page.getByRole('log').getByRole('listitem').count()) === 200);
				await page.getByRole('searchbox').fill('');
				await until(async () => (await console.rows.count()) === 25);
				const elements = await page.evaluate(() => document.querySelectorAll('*').length);
				return { shownMs, listedMs, searchedMs, elements };
			};
			const [few, many] = [await measure(250), await measure(100_000)];
			process.stdout.write(`\nConsole: ${JSON.stringify({ few, many })}\n`);
			expect(many.elements).toBeLessThan(few.elements * 1.1);
			expect(many.shownMs).toBeLessThan(few.shownMs * 5);
		},
		PATIENCE_MS,
	);

	it(
		'changes a status and sees the message that a workflow of n8n sends for it',
		async () => {
			const { console, service } = await open({ clients: 0 });
			const ada = { client_name: 'Ada', group_name: 'Retail', email: 'ada@example.com', request_status: 'Pending' };
			await service.control('POST', '/clients', ada);
			const { client: n8n } = sharedN8n();
			const credential = await n8n.createCredential('Console', CREDENTIAL_TYPE, service.credential);
			const draft = readExample('declined-clients-to-a-chat');
			Object.assign(draft.nodes[0].parameters, { pollTimes: { item: OFTEN.pollTimes } });
			const { controlUrl } = service;
			const workflow = await n8n.createWorkflow({
				...fillIn(draft, { credentials: [credential], controlUrl }),
				name: 'Declined in the console',
			});
			await n8n.activate(workflow.id);
			// The first poll is stored by an execution without items.
			await until(async () => (await n8n.runs(workflow.id)).length > 0);

			await console.row('Ada').getByRole('combobox').selectOption('declined');
			await console.done.getByText('Ada set to declined').waitFor();
			await console.chooseTab(/^Messages/);
			const message = console.page.getByRole('list', { name: 'Messages, the newest first' }).getByRole('listitem');
			await message.waitFor({ timeout: PATIENCE_MS / 2 });
			expect(await message.locator('p').allTextContents()).toEqual([
				'Ada (Retail) was declined (before: Pending). Email: ada@example.com',
			]);
			await console.screenshot('message');
			await console.page.getByRole('log').getByText('GET /api/v1/clients-list/').first().waitFor();
			await n8n.deactivate(workflow.id);
		},
		PATIENCE_MS,
	);
});
