import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { N8nClient, type Workflow } from '../tools/n8n/client.mts';
import { EXAMPLES, fillIn, readExample, STICKY_NOTE } from '../tools/n8n/examples.mts';
import { Editor } from './support/browser.mts';
import { Console } from './support/console.mts';
import { Demo } from './support/demo.mts';
import { Film } from './support/film.mts';
import { VERSION } from './support/shared.mts';
import { until } from './support/until.mts';
import { closeBrowser } from './support/window.mts';

const STEP_MS = 360_000;
const POLL_MS = 90_000;
const PICTURES = process.env.E2E_SCREENSHOTS;
const isOld = VERSION.startsWith('1.');

let demo: Demo;
let text: string;
let editor: Editor;
let sandbox: Console;
const film = PICTURES ? new Film(join(PICTURES, 'first-notification.png')) : undefined;

afterAll(async () => {
	await editor?.screenshot('first-start-end');
	await closeBrowser();
	await demo?.stop();
});

/** The text after a word in the last output of npm start. */
function said(word: string, pattern = /\S+/): string {
	const line = text.split('\n').find((candidate) => candidate.trim().startsWith(word)) ?? '';
	const [found] = pattern.exec(line.trim().slice(word.length)) ?? [];
	if (!found) throw new Error(`Nothing is said of "${word}": ${text}`);
	return found;
}

const URL_PATTERN = /http:\S+/;
const login = () => {
	const [email, password] = said('log in', /\S+@\S+\s+\S+/).split(/\s+/);
	return { email, password };
};

const listedCount = () => Number(/Listed by \S+: (\d+) clients/.exec(text)?.[1]);

async function enter(): Promise<N8nClient> {
	const n8n = new N8nClient(new URL(said('open', URL_PATTERN)).origin);
	await n8n.enter(login());
	return n8n;
}

/** As after an import: without the demo's sentences in the notes, and with all credentials, or n8n marks nodes with a red sign. */
async function prepareForPictures(n8n: N8nClient, workflows: Workflow[]): Promise<void> {
	const credentials = [
		...(await n8n.credentials()),
		await n8n.createCredential('Mail server', 'smtp', { host: 'localhost', port: 25, user: '', password: '' }),
		await n8n.createCredential('Language model', 'openAiApi', { apiKey: 'none', url: 'http://localhost' }),
		await n8n.createCredential('Assistant', 'httpBearerAuth', { token: 'none' }),
	];
	const originals = examples().map(readExample);
	for (const { id, name } of workflows) {
		const notes = originals.find((example) => example.name === name)?.nodes.filter(({ type }) => type === STICKY_NOTE);
		const { nodes } = fillIn(await n8n.workflow(id), { credentials });
		const rest = nodes.filter(({ type }) => type !== STICKY_NOTE);
		await n8n.updateWorkflow(id, [...rest, ...(notes ?? [])]);
	}
}

describe('A user who runs npm start for the first time', () => {
	it(
		'sees how many clients are listed and what to do next',
		async () => {
			demo = await Demo.prepare();
			text = await demo.start();
			expect(listedCount()).toBe(250);
			expect(text).toMatch(/^Sandbox console, ready while n8n starts: http:\/\/localhost:\d+/m);
			expect(text.indexOf('Sandbox console, ready')).toBeLessThan(text.indexOf('Starting n8n'));
			expect(text).not.toContain('127.0.0.1');
			expect(text.indexOf('See the clients in n8n')).toBeLessThan(text.indexOf('Trigger a workflow'));
		},
		STEP_MS,
	);

	it(
		'opens the example, logs in, executes it and sees the clients',
		async () => {
			editor = await Editor.open(said('open', URL_PATTERN));
			const { page } = editor;
			await page.goto(said('open', URL_PATTERN));
			await editor.fillLogin(login());
			// There is a second button with this name beside the trigger.
			await page
				.getByRole('button', { name: said('click', /\S.*/), exact: true })
				.last()
				.click();
			await editor.node('List Clients').getByText('250 items').waitFor();
			await editor.screenshot('first-start-executed');
			await editor.node('List Clients').dblclick();
			await editor
				.part('output-panel')
				.getByText(/250 items/)
				.first()
				.waitFor();
			await editor.closeNode();
		},
		STEP_MS,
	);

	it(
		'opens the trigger and publishes it',
		async () => {
			const { page } = editor;
			await page.goto(said(isOld ? 'activate' : 'publish', URL_PATTERN));
			await editor.node('Client Onboarding Trigger').waitFor();
			await editor.publish();
			const n8n = await enter();
			const [, id] = /workflow\/(\w+)/.exec(page.url()) ?? [];
			// The execution that saves the baseline.
			await until(async () => (await n8n.runIds(id)).length > 0);
			await editor.screenshot('first-start-published');
		},
		STEP_MS,
	);

	it(
		'declines a client in the console and sees the message that n8n sends',
		async () => {
			sandbox = await Console.open(said('decline', URL_PATTERN));
			const { page } = sandbox;
			// The first one has the email address of another client, which would be confusing in the film.
			const pending = sandbox.rows.filter({ has: page.locator('select[data-status="pending"]') }).nth(1);
			const name = await pending.locator('strong').innerText();
			const declined = page.locator('#figures [data-status="declined"] strong');
			const count = Number(await declined.innerText());
			await pending.getByRole('combobox').selectOption('declined');
			await sandbox.done.getByText(`${name} set to declined`).waitFor();
			await declined.getByText(String(count + 1), { exact: true }).waitFor();
			await film?.add(page, `1   A client is declined: ${name}`, 3_000);
			await sandbox.chooseTab(/^Messages/);
			const message = page.getByRole('list', { name: 'Messages, the newest first' }).getByRole('listitem');
			await message.first().waitFor({ timeout: POLL_MS });
			expect(await message.locator('p').allInnerTexts()).toEqual([
				expect.stringMatching(/was declined \(before: Pending\)/),
			]);
			await sandbox.screenshot('first-start-message');
		},
		STEP_MS,
	);

	it(
		'finds the execution in n8n',
		async () => {
			const { page } = editor;
			await page.goto(`${said(isOld ? 'activate' : 'publish', URL_PATTERN)}/executions`);
			await page
				.getByText(/^\s*Succeeded/)
				.nth(1)
				.waitFor();
			await sleep(2_000);
			await editor.screenshot('first-start-execution');
			await film?.add(page, '2   Within a minute, n8n runs the workflow', 3_000);
			await film?.add(sandbox.page, '3   The team gets the message', 4_000);
			if (film) {
				await page.goto(said(isOld ? 'activate' : 'publish', URL_PATTERN));
				await editor.node('Client Onboarding Trigger').waitFor();
				await film.add(page, '4   The whole workflow: a trigger and a message', 3_000);
				film.save();
			}
		},
		STEP_MS,
	);

	it(
		'finds all ready-made workflows, and n8n knows all their nodes',
		async () => {
			const { page } = editor;
			await page.goto(said('ready-made workflows', URL_PATTERN));
			const names = examples().map((example) => readExample(example).name);
			for (const name of names) await page.getByText(name, { exact: true }).first().waitFor();
			await editor.screenshot('first-start-workflows');
			const n8n = await enter();
			const made = await n8n.workflows();
			if (PICTURES) await prepareForPictures(n8n, made);
			for (const [index, example] of examples().entries()) {
				const { id } = made.find(({ name }) => name === names[index]) as Workflow;
				await page.getByText(names[index], { exact: true }).first().click();
				await page.waitForURL(`**/workflow/${id}**`);
				for (const { name, type } of readExample(example).nodes) {
					if (type !== STICKY_NOTE) await editor.node(name).waitFor();
				}
				expect(await page.getByText('Install this node').count()).toBe(0);
				if (PICTURES) await editor.screenshotCanvas(example);
				await page.goBack();
			}
		},
		STEP_MS,
	);

	it(
		'tests the credential',
		async () => {
			const { page } = editor;
			await page.goto(said('their credential', URL_PATTERN));
			await page.getByText('Sandbox', { exact: true }).first().click();
			await editor.dialog.getByText('Connection tested successfully').waitFor();
			await editor.screenshot('first-start-credential');
		},
		STEP_MS,
	);

	it('sees where to find help, in files that exist', () => {
		const files = [...text.matchAll(/[\w/-]+\.md/g)].map(([file]) => join(demo.folder, file));
		expect(files.length).toBeGreaterThan(1);
		for (const file of files) expect(existsSync(file)).toBe(true);
		expect(readFileSync(join(demo.folder, said('help', /\S+\.md/)), 'utf8')).toMatch(/^# /);
	});

	it(
		'changes the example and stops with Ctrl-C',
		async () => {
			const n8n = await enter();
			const list = said('open', /\w+$/);
			const { nodes } = await n8n.workflow(list);
			for (const { parameters } of nodes) Object.assign(parameters, { returnAll: false, limit: 1 });
			await n8n.updateWorkflow(list, nodes);
			expect(await emittedCount(n8n, said(isOld ? 'activate' : 'publish', /\w+$/))).toBe(1);
			expect(await demo.stop()).toBe('Stopped.');
		},
		STEP_MS,
	);
});

describe('The next npm start', () => {
	it(
		'lists all clients although the example was changed, and emits no event because the service restarted',
		async () => {
			text = await demo.start();
			expect(listedCount()).toBe(250);
			const n8n = await enter();
			const [, trigger] = said(isOld ? 'activate' : 'publish', /workflow\/\w+ +\(already done\)/).split(/\W+/);
			const before = await listRequestCount();
			await until(async () => (await listRequestCount()) > before);
			await sleep(5_000);
			expect(await emittedCount(n8n, trigger)).toBe(1);
		},
		STEP_MS,
	);
});

/** How many events the trigger has emitted. */
async function emittedCount(n8n: N8nClient, workflow: string): Promise<number> {
	return (await n8n.runs(workflow)).flatMap((run) => run.items('Client Onboarding Trigger')).length;
}

/** The number of list requests since the start. */
async function listRequestCount(): Promise<number> {
	const answer = await fetch(`${said('decline', URL_PATTERN)}/requests`);
	return ((await answer.json()) as { sandbox: { list: number } }).sandbox.list;
}

function examples(): string[] {
	return readdirSync(EXAMPLES)
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replace('.json', ''));
}
