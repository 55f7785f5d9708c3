import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { N8nClient, type WorkflowNode } from '../tools/n8n/client.mts';
import { fillIn } from '../tools/n8n/examples.mts';
import { isFree } from '../tools/network/ports.mts';
import { PACKAGE_NAME } from '../tools/project/package.mts';
import { Editor } from './support/browser.mts';
import { singleHost } from './support/hosts.mts';
import { startService, type Service } from './support/service.mts';
import { OWNER } from './support/shared.mts';
import { closeBrowser } from './support/window.mts';
import { rows } from './support/workflow.mts';

const USUAL_PORT = 4010;
const GROUP = 'Wholesale';
/** n8n would evaluate this as an expression. */
const ODD_GROUP = '={{ 1 + 1 }}';

let service: Service;
const host = singleHost('browser');
let client: N8nClient;
let editor: Editor;
beforeAll(async () => {
	service = await startService({ clients: 250, port: (await isFree(USUAL_PORT)) ? USUAL_PORT : 0, control: true });
	// Older than all others, so that screenshots of the newest clients do not change.
	const matching = { client_type: 'company', request_status: 'Accepted', created_at: '2020-01-01T00:00:00.000Z' };
	for (const group_name of [ODD_GROUP, '2', ODD_GROUP])
		await service.control('POST', '/clients', { ...matching, group_name, group_token: group_name });
	client = new N8nClient((await host.start()).url);
	await client.enter(OWNER);
	editor = await Editor.open(client.url);
}, 240_000);

afterAll(async () => {
	await editor?.screenshot('end');
	await closeBrowser();
	await host.stop();
});

const expected = (name: string) =>
	[...service.app.environment('sandbox').served()].filter(
		({ client_type: type, group_name: group, request_status: status }) =>
			type === 'company' && group === name && ['Accepted', 'Completed'].includes(String(status)),
	);

const idsOf = (clients: Array<{ reference_id: string }>) => clients.map(({ reference_id: id }) => id).sort();

/** Waits until a part of the page shows this icon. */
async function seeIcon(part: string, file: string): Promise<void> {
	const image = editor.part(part).locator(`img[src$="/${file}"]`).first();
	await image.waitFor();
	const width = await image.evaluate(async (element: HTMLImageElement) => {
		await element.decode();
		return element.naturalWidth;
	});
	expect(width).toBeGreaterThan(0);
}

const EDIT_FIELDS: WorkflowNode = { name: 'Edit Fields', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} };

const listNode = (name: string, parameters: Record<string, unknown>): WorkflowNode => ({
	name,
	type: 'n8n-nodes-client-onboarding.clientOnboarding',
	typeVersion: 1,
	parameters: { operation: 'list', ...parameters },
});

describe("A user in n8n's editor", () => {
	it('logs in', async () => {
		await editor.logIn(OWNER);
	});

	it('opens the dialog in which community packages are installed and enters the name of this one', async () => {
		await editor.page.goto('/settings/community-nodes');
		await editor.page.getByRole('button', { name: /^Install/ }).click();
		await editor
			.part('package-name-input')
			.locator('input')
			.or(editor.part('package-name-input'))
			.last()
			.fill(PACKAGE_NAME);
		await editor.part('user-agreement-checkbox').click();
		expect(await editor.part('install-community-package-button').isEnabled()).toBe(true);
		await editor.screenshot('install', { name: 'install', clip: { x: 350, y: 185, width: 580, height: 430 } });
	});

	it('finds the node by searching "client", with its icon, and adds it', async () => {
		await editor.page.goto('/workflow/new');
		await editor.part('canvas-plus-button').click();
		await editor.part('node-creator-search-bar').fill('client');
		const found = editor.part('node-creator-item-name').filter({ hasText: /^\s*Client Onboarding\s*$/ });
		await found.waitFor();
		await seeIcon('item-iterator-item', 'clientOnboarding.svg');
		await editor.screenshot('node-panel');

		await found.click();
		// n8n expects a trigger first and keeps the actions folded.
		await editor.page.getByText(/^Actions \(\d+\)$/).click();
		await editor.page.getByText('List clients', { exact: true }).click();
		await editor.field('operation').waitFor();
		await editor.screenshot('node');
	});

	it('creates the credential and sees why a wrong key is refused', async () => {
		await editor.openNewCredential();
		await editor.field('productionBaseUrl').locator('input').fill('https://api.onboarding.example');
		await editor.field('apiKey').locator('input').fill('wrong-key');
		await editor.screenshot('credential', { name: 'credential', clip: { x: 193, y: 81, width: 894, height: 592 } });
		await editor.choose('environment', 'Sandbox');
		await editor.field('sandboxBaseUrl').locator('input').fill(service.credential.sandboxBaseUrl);
		await editor.field('apiKey').locator('input').fill('wrong-key');
		await editor.part('credential-save-button').click();

		const { dialog } = editor;
		await dialog.getByText('More details').click();
		await dialog.getByText(/127\.0\.0\.1:\d+ does not accept the API key/).waitFor();
		await editor.screenshot('credential-refused');
	});

	it('corrects the key and sees that the test succeeds', async () => {
		await editor.field('apiKey').locator('input').fill(service.credential.apiKey);
		await editor.part('credential-save-button').click();
		const { dialog } = editor;
		const verdict = dialog.getByText('Connection tested successfully');
		// Newer versions close the dialog after a successful test and show the result when it is opened again.
		await Promise.race([verdict.waitFor(), dialog.waitFor({ state: 'detached' })]);
		if (!(await dialog.isVisible())) await editor.part('credential-edit-button').click();
		await verdict.waitFor();
		// Newer versions test again when the dialog is opened.
		await dialog.locator('button:not([aria-busy="true"])').getByText('Retry', { exact: true }).waitFor();
		await editor.screenshot('credential-accepted');
		await editor.closeDialog();
	});

	it('chooses filters from the dropdowns and turns on Return All', async () => {
		await editor.field('returnAll').locator('.el-switch, [role="switch"]').first().click();
		await editor.addFilter('Client Type');
		await editor.choose('clientType', 'Company');
		await editor.addFilter('Request Status');
		await editor.choose('requestStatus', 'Accepted', 'Completed');
		await editor.addFilter('Group');
	});

	it('chooses a group that is named like an expression and sees exactly its clients', async () => {
		await editor.part('rlc-input').click();
		await editor.page.getByText(`${ODD_GROUP} (2)`, { exact: true }).click();
		await editor.part('node-execute-button').click();
		const output = editor.part('output-panel');
		await output.getByText(/^\s*2 items\s*$/).waitFor();
		await editor.screenshot('odd-group');
		const shown = await output.getByText(/^\s*ONB-/).allInnerTexts();
		expect(shown.map((id) => id.trim()).sort()).toEqual(idsOf(expected(ODD_GROUP)));
	});

	it('opens the list of groups, filters it by typing and chooses one', async () => {
		await editor.part('rlc-input').click();
		const other = editor.page.getByText(/^Retail \(\d+/);
		await other.waitFor();
		await editor.part('rlc-search').fill(GROUP.slice(0, 5).toUpperCase());
		await other.waitFor({ state: 'detached' });
		await editor.screenshot('groups');
		const inGroup = [...service.app.environment('sandbox').served()].filter((client) => client.group_name === GROUP);
		await editor.page.getByText(new RegExp(`^${GROUP} \\(${inGroup.length}\\b`)).click();
		await editor.screenshot('filters');
	});

	it('runs the node and sees the matching clients in the output panel', async () => {
		await editor.part('node-execute-button').click();
		const output = editor.part('output-panel');
		await output.getByText(`${expected(GROUP).length} items`).waitFor();
		for (const { client_name: name } of expected(GROUP).slice(0, 3))
			await output.getByText(String(name)).first().waitFor();
		await editor.screenshot('output');
	});

	it('chooses the fields to return and sees only these', async () => {
		await editor.addOption('Fields to Return');
		await editor.choose('fields', 'Reference ID', 'Client Name', 'Group Name', 'Request Status');
		await editor.part('node-execute-button').click();
		const headers = editor.part('output-panel').locator('th');
		await headers.nth(3).getByText('request_status').waitFor();
		await editor.widenOutput();
		await editor.screenshot('fields', { name: 'list-clients', clip: { x: 325, y: 25, width: 930, height: 750 } });
		expect((await headers.allInnerTexts()).map((text) => text.trim()).filter(Boolean)).toEqual([
			'reference_id',
			'client_name',
			'group_name',
			'request_status',
		]);
	});

	it('sees the dark icon in the dark theme', async () => {
		await editor.closeNode();
		await editor.screenshot('canvas');
		await editor.page.emulateMedia({ colorScheme: 'dark' });
		await seeIcon('canvas-default-node', 'clientOnboarding.dark.svg');
		await editor.screenshot('dark');
	});

	it('adds the trigger, chooses a status and fetches a sample event', async () => {
		await editor.page.emulateMedia({ colorScheme: 'light' });
		await editor.page.goto('/workflow/new');
		await editor.part('canvas-plus-button').click();
		await editor.part('node-creator-search-bar').fill('client');
		await editor
			.part('node-creator-item-name')
			.filter({ hasText: /^\s*Client Onboarding/ })
			.first()
			.click();
		await editor.page.getByText('On client reaches a status').click();
		await editor.field('statusBecomes').waitFor();
		await editor.choose('statusBecomes', 'Declined');
		await editor.page.keyboard.press('Escape');
		await editor.screenshot('trigger');
		await editor.part('node-execute-button').click();
		const output = editor.part('output-panel');
		await output.getByText('1 item').waitFor();
		await output.getByText('statusReached').first().waitFor();
		await editor.screenshot('trigger-output', { name: 'trigger', clip: { x: 325, y: 25, width: 930, height: 750 } });
	});

	it('adds more events, keeps the chosen statuses and fetches a sample of each event', async () => {
		await editor.choose('statusBecomes', 'Completed');
		await editor.page.keyboard.press('Escape');
		await editor.choose('triggerOn', 'Client Stalled', 'Client Removed', 'Request Status Changed', 'Client Updated');
		for (const status of ['Completed', 'Declined']) await editor.field('statusBecomes').getByText(status).waitFor();
		await editor.screenshot('trigger-several');
		await editor.part('node-execute-button').click();
		const output = editor.part('output-panel');
		await output.getByText('5 items').first().waitFor();
		await editor.screenshot('trigger-several-output');
		for (const event of ['clientStalled', 'clientRemoved', 'statusReached', 'clientUpdated', 'requestStatusChanged'])
			await output.getByText(event).first().waitFor();
	});

	it('sees which two fields contradict each other', async () => {
		await editor.addFilter('Request Status');
		await editor.choose('requestStatus', 'Pending');
		await editor.page.keyboard.press('Escape');
		await editor.part('node-execute-button').click();
		await editor.page
			.getByText(/"New Status" and the filter "Request Status" have no status in common/)
			.first()
			.waitFor();
		await editor.screenshot('trigger-contradiction');
	});

	it('opens a workflow with several nodes', async () => {
		const several = rows(
			[listNode('Unknown Group', { filters: { groupName: { __rl: true, mode: 'name', value: 'Wholesal' } } })],
			[listNode('Incomplete', { returnAll: true })],
			[listNode('Sorted', { returnAll: false, limit: 5 })],
			[
				{
					...EDIT_FIELDS,
					name: 'Sheet',
					parameters: { mode: 'raw', jsonOutput: '{ "rows": [1, 2, 3] }', options: {} },
				},
				{
					name: 'Rows',
					type: 'n8n-nodes-base.splitOut',
					typeVersion: 1,
					parameters: { fieldToSplitOut: 'rows', options: {} },
				},
				listNode('For Each Row', { returnAll: false, limit: 2 }),
			],
			[listNode('Never Run', {}), EDIT_FIELDS],
		);
		// The one that was created in the dialog.
		const [credential] = await client.credentials();
		const { id } = await client.createWorkflow(fillIn(several, { credentials: [credential] }));
		await editor.page.goto(`/workflow/${id}`);
		await editor.node(EDIT_FIELDS.name).waitFor();
		await editor.screenshot('several-nodes');
	});

	it('sees a possible reason if no client matches', async () => {
		await editor.node('Unknown Group').dblclick();
		await editor.part('node-execute-button').click();
		await editor
			.part('output-panel')
			.getByText(/The service returned no client whose group is "Wholesal"\. Existing values: /)
			.waitFor();
		await editor.screenshot('hint');
		await editor.closeNode();
	});

	it('chooses to stop at an incomplete list and sees both numbers, then chooses a warning', async () => {
		service.app.setBehavior({ totals: 'too-high' });
		await editor.node('Incomplete').dblclick();
		await editor.addOption('If List May Be Incomplete');
		await editor.part('node-execute-button').click();
		await editor.page
			.getByText(/The service reports 290 clients but returned 253/)
			.first()
			.waitFor();
		await editor.screenshot('incomplete-stopped');
		await editor.choose('onIncomplete', 'Warn');
		await editor.part('node-execute-button').click();
		const output = editor.part('output-panel');
		await output.getByText(/^\s*253 items\s*$/).waitFor();
		await output.getByText(/reports 290 clients but returned 253/).waitFor();
		await editor.screenshot('incomplete-warned');
		service.app.setBehavior({ totals: 'numbers' });
		await editor.closeNode();
	});

	it('filters by client status, sorts, and sees the newest clients first', async () => {
		await editor.node('Sorted').dblclick();
		await editor.addFilter('Client Status');
		await editor.field('clientStatus').locator('input').fill('ACTIVE');
		await editor.addOption('Sort');
		await editor.choose('sort', 'Newest First');
		await editor.part('node-execute-button').click();
		const output = editor.part('output-panel');
		await output.getByText(/^\s*5 items\s*$/).waitFor();
		await editor.screenshot('sorted');
		const shown = await output.getByText(/^\s*ONB-/).allInnerTexts();
		const newest = [...service.app.environment('sandbox').served()]
			.filter(({ client_status: status }) => status === 'active')
			.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
		expect(shown.map((id) => id.trim())).toEqual(newest.slice(0, 5).map(({ reference_id: id }) => id));
		await editor.closeNode();
	});

	it('sees a hint about "Execute Once" if many rows got the same list', async () => {
		await editor.node('For Each Row').dblclick();
		await editor.part('node-execute-button').click();
		const output = editor.part('output-panel');
		await output.getByText(/ran for 3 items.*turn on "Execute Once"/).waitFor();
		await output.getByText(/^\s*6 items\s*$/).waitFor();
		await editor.screenshot('same-for-all');
		await editor.closeNode();
	});

	it('drags a field of a node that has never run', async () => {
		await editor.node(EDIT_FIELDS.name).dblclick();
		const field = editor.part('ndv-input-panel').getByText('client_name', { exact: true }).first();
		await field.waitFor();
		await editor.screenshot('preview');
		await editor.drag(field, editor.part('drop-area').or(editor.part('assignment-collection-drop-area')).first());
		await editor.field('assignments').or(editor.part('assignment')).getByText('client_name').first().waitFor();
		await editor.screenshot('preview-dragged');
		await expect(editor.page.locator('body').innerText()).resolves.toContain('$json.client_name');
	});

	it("chooses the credential in n8n's HTTP Request node and gets clients with it", async () => {
		const { page } = editor;
		await page.goto('/workflow/new');
		await editor.part('canvas-plus-button').click();
		await editor.part('node-creator-search-bar').fill('HTTP Request');
		await editor
			.part('node-creator-item-name')
			.filter({ hasText: /^\s*HTTP Request\s*$/ })
			.click();
		await editor.field('url').locator('input, .cm-content').first().click();
		await page.keyboard.type(`${service.credential.sandboxBaseUrl}/api/v1/clients-list/?page_limit=3`);
		await editor.field('authentication').click();
		await page.getByText('Predefined Credential Type', { exact: true }).filter({ visible: true }).click();
		await editor.part('credential-select').click();
		await page.keyboard.type('client onb');
		await editor.option('Client Onboarding API').waitFor();
		await editor.screenshot('http-request-choice');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		// n8n proposes the only credential of this type.
		await editor.part('node-credentials-select').waitFor();
		await editor.part('node-execute-button').click();
		const output = editor.part('output-panel');
		await output.getByText('1 item').waitFor();
		for (const { reference_id: id } of [...service.app.environment('sandbox').served()].slice(0, 3))
			await output.getByText(id).first().waitFor();
		await editor.screenshot('http-request-output');
	});
});
