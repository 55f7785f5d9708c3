import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { OUTPUT } from './shared.mts';
import { openWindow } from './window.mts';

/** The sandbox's console as a person sees it. */
export class Console {
	#shots = 0;
	/** Errors in the browser's log, such as a blocked request to another origin. */
	readonly complaints: string[] = [];

	private constructor(readonly page: Page) {
		page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
		page.on('pageerror', (error) => this.complaints.push(error.message));
	}

	static async open(url: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Console> {
		const page = await openWindow({ colorScheme, permissions: ['clipboard-read', 'clipboard-write'] });
		const opened = new Console(page);
		await page.goto(url);
		await opened.rows.first().waitFor();
		return opened;
	}

	async close(): Promise<void> {
		await this.page.context().close();
	}

	get rows(): Locator {
		return this.page.locator('#rows tr');
	}

	row(name: string): Locator {
		return this.rows.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	button(name: string): Locator {
		return this.page.getByRole('button', { name, exact: true });
	}

	choice(label: string): Locator {
		return this.page.getByRole('combobox', { name: label, exact: true });
	}

	async chooseTab(name: string | RegExp): Promise<void> {
		await this.page.getByRole('tab', { name }).click();
	}

	/** Opens what is folded away. */
	async unfold(): Promise<void> {
		await this.page.evaluate(() => document.querySelectorAll('details').forEach((group) => (group.open = true)));
	}

	/** The curl command of the last action. */
	async command(): Promise<string> {
		return (await this.page.locator('#command-text').textContent()) ?? '';
	}

	/** The result of the last action. */
	get done(): Locator {
		return this.page.locator('#command-what');
	}

	/** Saves a screenshot in the run's folder and, on request, a picture for the documentation. */
	async screenshot(step: string, picture?: string): Promise<void> {
		this.#shots += 1;
		await this.page.screenshot({ path: join(OUTPUT, 'screenshots', `console-${this.#shots}-${step}.png`) });
		const folder = process.env.E2E_SCREENSHOTS;
		if (folder && picture) await this.page.screenshot({ path: join(folder, `${picture}.png`) });
	}
}
