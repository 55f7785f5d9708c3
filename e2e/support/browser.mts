import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Owner } from '../../tools/n8n/client.mts';
import { OUTPUT } from './shared.mts';
import { openWindow } from './window.mts';

type Clip = { x: number; y: number; width: number; height: number };

/** Room for names below and beside nodes. */
const MARGIN = 56;
const PICTURE_SIZE = { width: 1280, height: 1000 };

/** Toasts and buttons that cover the canvas. */
export const UNCOVERED =
	'.el-notification, .vue-flow__panel, [class*="nodeButtonsWrapper"], [data-test-id^="execute-workflow-button"], [data-test-id="workflow-chat-button"], [data-test-id="canvas-chat"], [data-test-id="logs-panel"], [data-reka-popper-content-wrapper] { visibility: hidden }';

/** n8n's editor as a user sees it. */
export class Editor {
	#shots = 0;

	private constructor(readonly page: Page) {}

	static async open(url: string): Promise<Editor> {
		return new Editor(await openWindow({ baseURL: url }));
	}

	async logIn(owner: Owner): Promise<void> {
		await this.page.goto('/signin');
		await this.fillLogin(owner);
	}

	async fillLogin({ email, password }: Owner): Promise<void> {
		await this.page.locator('input[autocomplete="email"]').fill(email);
		await this.page.locator('input[type="password"]').fill(password);
		await this.screenshot('login');
		await this.part('form-submit-button').click();
		await this.page.waitForURL(/\/(home|workflow)/);
	}

	/** Finds a part of the page by the test ID that n8n's own tests use. */
	part(name: string): Locator {
		return this.page.locator(`[data-test-id="${name}"]`);
	}

	/** The field of a parameter, in the node or in the credential's dialog. */
	field(name: string): Locator {
		return this.part(`parameter-input-${name}`);
	}

	/** The credential's dialog. */
	get dialog(): Locator {
		return this.part('editCredential-modal');
	}

	/** Versions differ in what a node without a credential shows: a list to choose from, or a button. */
	async openNewCredential(): Promise<void> {
		const button = this.part('node-credentials-slot').getByRole('button', { name: /^Connect to/ });
		const create = this.part('node-credentials-select-item-new');
		await this.part('node-credentials-select').or(button).first().click();
		await create.or(this.dialog).first().waitFor();
		if (!(await this.dialog.isVisible())) await create.click();
	}

	async closeDialog(): Promise<void> {
		await this.dialog.locator('.el-dialog__headerbtn').click();
		await this.dialog.waitFor({ state: 'detached' });
	}

	async choose(name: string, ...options: string[]): Promise<void> {
		const width = (await this.field(name).boundingBox())?.width ?? 0;
		// At the right end, since a click elsewhere may remove a chosen value.
		await this.field(name).click({ position: { x: Math.max(0, width - 16), y: 16 } });
		for (const option of options) await this.option(option).click();
		if (options.length > 1) await this.page.keyboard.press('Escape');
	}

	option(name: string): Locator {
		const { page } = this;
		// An option may have a description, too.
		return page
			.getByRole('option', { name, exact: true })
			.or(page.getByRole('option').filter({ has: page.getByText(name, { exact: true }) }))
			.filter({ visible: true });
	}

	async addFilter(name: string): Promise<void> {
		await this.add('Add Filter', name);
	}

	async addOption(name: string): Promise<void> {
		await this.add('Add Option', name);
	}

	private async add(button: string, name: string): Promise<void> {
		const { page } = this;
		await page.getByText(button, { exact: true }).or(page.getByPlaceholder(button)).first().click();
		await this.option(name).click();
	}

	/** n8n 1.x has a switch for it, and 2.x asks for a confirmation. */
	async publish(): Promise<void> {
		const old = this.part('workflow-activate-switch');
		await old.or(this.part('workflow-open-publish-modal-button')).first().click();
		if ((await old.count()) > 0) return await this.page.getByRole('button', { name: 'Got it', exact: true }).click();
		await this.part('workflow-publish-button').click();
		// The first time, n8n explains what happens next.
		await this.page.getByRole('button', { name: 'Got it', exact: true }).click();
		await this.part('workflow-publish-button').waitFor({ state: 'detached' });
	}

	/** A picture of the whole workflow, for the gallery. */
	async screenshotCanvas(example: string): Promise<void> {
		const usual = this.page.viewportSize();
		await this.page.setViewportSize(PICTURE_SIZE);
		let area = await this.workflowArea('1');
		const canvas = await this.page.locator('.vue-flow').boundingBox();
		// n8n leaves no room for lines below the nodes.
		if (canvas && area.y + area.height > canvas.y + canvas.height) area = await this.workflowArea('-');
		await this.screenshot(example, { name: `examples/${example}`, clip: area });
		if (usual) await this.page.setViewportSize(usual);
	}

	/** Where the nodes are after a key that zooms. */
	private async workflowArea(zoomKey: string): Promise<Clip> {
		await this.page.keyboard.press(zoomKey);
		// Zooming is animated.
		await this.page.waitForTimeout(500);
		const boxes = await this.page.locator('.vue-flow__node').evaluateAll((nodes) =>
			nodes.map((node) => {
				const { left, top, right, bottom } = node.getBoundingClientRect();
				return { left, top, right, bottom };
			}),
		);
		const x = Math.min(...boxes.map(({ left }) => left)) - MARGIN;
		const y = Math.min(...boxes.map(({ top }) => top)) - MARGIN / 2;
		const width = Math.max(...boxes.map(({ right }) => right)) + MARGIN - x;
		const height = Math.max(...boxes.map(({ bottom }) => bottom)) + 1.5 * MARGIN - y;
		return { x, y, width, height };
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** The editor detects a drag only after the mouse has moved a little. */
	async drag(from: Locator, to: Locator): Promise<void> {
		const centre = async (place: Locator) => {
			const box = await place.boundingBox();
			if (!box) throw new Error('There is nothing to drag, or nowhere to drag it to');
			return [box.x + box.width / 2, box.y + box.height / 2] as const;
		};
		await this.page.mouse.move(...(await centre(from)));
		await this.page.mouse.down();
		await this.page.mouse.move(640, 400, { steps: 10 });
		await this.page.mouse.move(...(await centre(to)), { steps: 10 });
		await this.page.mouse.up();
	}

	async closeNode(): Promise<void> {
		await this.part('ndv-close-button').or(this.part('back-to-canvas')).first().click();
	}

	/** Makes room for the output by moving the node's parameters to the left. */
	async widenOutput(): Promise<void> {
		const handle = await this.part('panel-drag-button').boundingBox();
		if (!handle) throw new Error('There is nothing to move the panels by');
		const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
		await this.page.mouse.move(x, y);
		await this.page.mouse.down();
		await this.page.mouse.move(x - 130, y, { steps: 5 });
		await this.page.mouse.up();
	}

	/** Saves a screenshot in the run's folder and, on request, the picture or a part of it for the documentation. */
	async screenshot(step: string, picture?: { name: string; clip?: Clip }): Promise<void> {
		await this.page.mouse.move(640, (this.page.viewportSize()?.height ?? 800) - 5);
		this.#shots += 1;
		await this.page.screenshot({ path: join(OUTPUT, 'screenshots', `${this.#shots}-${step}.png`) });
		const folder = process.env.E2E_SCREENSHOTS;
		if (!folder || !picture) return;
		const { name, clip } = picture;
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		await this.page.screenshot({ path: join(folder, `${name}.png`), clip, style: UNCOVERED });
	}
}
