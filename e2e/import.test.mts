import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EXAMPLES, readExample, STICKY_NOTE } from '../tools/n8n/examples.mts';
import { Editor } from './support/browser.mts';
import { OWNER, sharedN8n, VERSION } from './support/shared.mts';
import { closeBrowser } from './support/window.mts';

const { url } = sharedN8n();
const EXAMPLE = 'declined-clients-to-a-chat';
const FILE = resolve(EXAMPLES, `${EXAMPLE}.json`);
const { nodes } = readExample(EXAMPLE);
const isOld = VERSION.startsWith('1.');

describe('An example can be imported into n8n', () => {
	let editor: Editor;
	beforeAll(async () => {
		editor = await Editor.open(url);
		await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await editor.logIn(OWNER);
	});
	afterEach(async () => await editor.screenshot('imported'));
	afterAll(closeBrowser);

	async function expectOnCanvas(): Promise<void> {
		for (const { name, type } of nodes) {
			if (type !== STICKY_NOTE) await editor.node(name).waitFor();
		}
		expect(await editor.page.getByText('Install this node').count()).toBe(0);
	}

	it('from a file', async () => {
		const { page } = editor;
		await page.goto('/workflow/new');
		const chosen = page.waitForEvent('filechooser');
		await editor.part('workflow-menu').click();
		if (isOld) {
			await page.getByText('Import from File').click();
		} else {
			await page.getByText('Import', { exact: true }).hover();
			await page.getByText('From file', { exact: true }).click();
		}
		await (await chosen).setFiles(FILE);
		await expectOnCanvas();
	});

	it('by copy and paste', async () => {
		const { page } = editor;
		await page.goto('/workflow/new');
		await editor.part('canvas-add-button').waitFor();
		await page.evaluate(async (text) => await navigator.clipboard.writeText(text), readFileSync(FILE, 'utf8'));
		await page.mouse.click(300, 600);
		await page.keyboard.press('ControlOrMeta+v');
		await expectOnCanvas();
	});
});
