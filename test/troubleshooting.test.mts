import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Derivation, HOLE, textsIn, type Texts } from './support/messages.mts';

const ROOT = resolve(__dirname, '..');

/** Nothing but the words that n8n shows beneath a node, written as n8n's expressions. */
const HOLDS_NO_MESSAGE = 'nodes/ClientOnboarding/parameters/subtitle.ts';

/** What the package can say, and these sources as well. */
function textsOfPackage(...more: string[]): Texts {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
			.filter((file) => file.endsWith('.ts') && file !== HOLDS_NO_MESSAGE),
	);
	const found = [...files.map((file) => readFileSync(join(ROOT, file), 'utf8')), ...more].map(textsIn);
	const labels = found.flatMap((texts) => texts.labels);
	return {
		labels,
		joints: found.flatMap(({ joints }) => joints),
		messages: found.flatMap(({ messages }) => messages).filter((text) => !labels.includes(text)),
	};
}

const page = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const quoted = [...page.matchAll(/^> (.+)$/gm)].map(([, message]) => message);

/** Messages that are only in the code, and those that are only in the page. */
function compare({ messages, joints }: Texts, documented = quoted) {
	const derivation = new Derivation([...messages, ...joints]);
	const onlyInPage = documented.filter((message) => !derivation.explains(message));
	return { onlyInCode: messages.filter((text) => !derivation.used.has(text)), onlyInPage };
}

describe('The page on what does not work', () => {
	it('has every message that the package can give, and no other', () => {
		expect(quoted.length).toBeGreaterThan(0);
		expect(compare(textsOfPackage())).toEqual({ onlyInCode: [], onlyInPage: [] });
	});

	it.each([
		['an error', "throw new NodeOperationError(node, 'The moon is down')", 'The moon is down'],
		['an error of one word', "throw new CredentialError('Moonless')", 'Moonless'],
		['advice beneath an error', "const options = { itemIndex, description: 'Wait for the moon' }", 'Wait for the moon'],
		['a message with a value in it', 'const message = `${host} is on the moon`', `${HOLE} is on the moon`],
		[
			'a part of a message',
			"const text = `Could not reach ${host}: ${isNight ? 'it sleeps' : reason}${tried}`",
			'it sleeps',
		],
		['words by a code', "const REASONS = { 'it is on the moon': ['EMOON'] }", 'it is on the moon'],
		['a hint', "hints.push({ message: 'The moon is up', type: 'info' })", 'The moon is up'],
		[
			'a notice in a form',
			"const field = { displayName: 'Look at the moon', name: 'notice', type: 'notice' }",
			'Look at the moon',
		],
	])('would lack %s that is new', (_, source, message) => {
		expect(compare(textsOfPackage(source))).toEqual({ onlyInCode: [message], onlyInPage: [] });
	});

	it.each([
		["const field = { displayName: 'Moon Phase', name: 'moonPhase', description: 'How much of it you see' }"],
		["const field = { displayName: 'Moon Phase', name: 'moonPhase' }; parseNumber(value, 'Moon Phase')"],
		["const hint = { displayCondition: '={{ $parameter.moon > 1 }}' }"],
	])('need not have what forms say: %s', (source) => {
		expect(compare(textsOfPackage(source))).toEqual({ onlyInCode: [], onlyInPage: [] });
	});

	it('would be caught with a message that is gone from the code', () => {
		const texts = textsOfPackage();
		const gone = 'The execution was stopped';
		const messages = texts.messages.filter((text) => text !== gone);
		expect(messages).not.toHaveLength(texts.messages.length);
		expect(compare({ ...texts, messages })).toEqual({ onlyInCode: [], onlyInPage: [gone] });
	});

	it('would be caught with one that reads otherwise in the code', () => {
		const documented = quoted.map((message) => message.replace('the connection was refused', 'the line was busy'));
		expect(compare(textsOfPackage(), documented)).toEqual({
			onlyInCode: ['the connection was refused'],
			onlyInPage: ['the line was busy'],
		});
	});
});
