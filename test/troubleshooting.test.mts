import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Derivation, HOLE, textsIn, type Texts } from './support/messages.mts';

const ROOT = resolve(__dirname, '..');

/** Has only the text beneath a node, written as n8n expressions. */
const HOLDS_NO_MESSAGE = 'nodes/ClientOnboarding/parameters/subtitle.ts';

/** The texts of the package and of these sources. */
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

describe('The troubleshooting page', () => {
	it('has exactly the messages of the package', () => {
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
	])('has to have %s that is new in the code', (_, source, message) => {
		expect(compare(textsOfPackage(source))).toEqual({ onlyInCode: [message], onlyInPage: [] });
	});

	it.each([
		["const field = { displayName: 'Moon Phase', name: 'moonPhase', description: 'How much of it you see' }"],
		["const field = { displayName: 'Moon Phase', name: 'moonPhase' }; parseNumber(value, 'Moon Phase')"],
		["const hint = { displayCondition: '={{ $parameter.moon > 1 }}' }"],
	])('does not need the texts of forms: %s', (source) => {
		expect(compare(textsOfPackage(source))).toEqual({ onlyInCode: [], onlyInPage: [] });
	});

	it('must not have a message that was removed from the code', () => {
		const texts = textsOfPackage();
		const gone = 'The execution was stopped';
		const messages = texts.messages.filter((text) => text !== gone);
		expect(messages).not.toHaveLength(texts.messages.length);
		expect(compare({ ...texts, messages })).toEqual({ onlyInCode: [], onlyInPage: [gone] });
	});

	it('must not have a message that differs from the code', () => {
		const documented = quoted.map((message) => message.replace('the connection was refused', 'the line was busy'));
		expect(compare(textsOfPackage(), documented)).toEqual({
			onlyInCode: ['the connection was refused'],
			onlyInPage: ['the line was busy'],
		});
	});
});
