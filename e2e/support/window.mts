import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** A shared machine may be several times slower than usual for a while. */
const PATIENCE_MS = 180_000;

const QUIET = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** One browser for all tests of a file. The file has to close it. */
let browser: Promise<Browser> | undefined;
export const closeBrowser = async () => await (await browser)?.close();

/** A window of 1280 by 800 pixels with its own cookies and storage. */
export async function openWindow(options: BrowserContextOptions): Promise<Page> {
	browser ??= chromium.launch({ executablePath: process.env.E2E_CHROMIUM, args: QUIET });
	const context = await (
		await browser
	).newContext({
		viewport: { width: 1280, height: 800 },
		colorScheme: 'light',
		// Animations would use CPU time that the tests need.
		reducedMotion: 'reduce',
		...options,
	});
	context.setDefaultTimeout(PATIENCE_MS);
	return await context.newPage();
}
