import { describe, expect, it } from '@jest/globals';
import { explain } from '../../../../nodes/ClientOnboarding/service/explanation';

const about = { host: 'api.example.com', addressField: 'Production Base URL', isProven: false, tries: 1 };

describe('What a user reads when no page came', () => {
	it.each([
		[{ kind: 'tokenRefused' as const, status: 401 }, 'api.example.com refused a new access token', '401'],
		[{ kind: 'busy' as const, reason: 'It is busy', status: 503 }, 'It is busy', '503'],
		[{ kind: 'busy' as const, reason: 'It broke' }, 'It broke', undefined],
		[{ kind: 'tooSlow' as const, reason: 'It is slow' }, 'It is slow', undefined],
		[
			{ kind: 'refused' as const, status: 400, message: 'No.' },
			'api.example.com did not accept the request: No.',
			'400',
		],
		[
			{ kind: 'refused' as const, status: 409, message: '' },
			'api.example.com did not accept the request: status 409',
			'409',
		],
		[
			{ kind: 'notThisService' as const, status: 200, what: 'it is a shop' },
			'There is no client onboarding service at api.example.com: it is a shop',
			'200',
		],
		[{ kind: 'credentialRefused' as const, reason: 'The key is wrong' }, 'The key is wrong', undefined],
	])('after %j', (outcome, message, httpCode) => {
		const explanation = explain(outcome, about);
		expect(explanation).toMatchObject({ message });
		expect(explanation.httpCode).toBe(httpCode);
		expect(`${explanation.message} ${explanation.description}`).not.toMatch(/\b(error|problem|failure)\b/i);
	});

	it.each([
		['it sent a page', /^Check in the dashboard.* a key of its own\. Or a firewall holds n8n back: it sent a page\.$/],
		[undefined, /^Check in the dashboard.* a key of its own\.$/],
	])('says whom to ask where a refusal came from a stranger: %j', (stranger, advice) => {
		expect(explain({ kind: 'tokenRefused', status: 403, stranger }, about).description).toMatch(advice);
	});

	it.each([
		[500, ['Page Size']],
		[429, ['Parallel Requests']],
		[408, []],
		[undefined, []],
	])('names the option that may help where the service is busy: %j', (status, options) => {
		const { description = '' } = explain({ kind: 'busy', reason: 'Busy', status }, about);
		expect(['Page Size', 'Parallel Requests'].filter((option) => description.includes(`"${option}"`))).toEqual(options);
	});

	it('does not doubt the address of a service that has given clients', () => {
		const stranger = { kind: 'notThisService' as const, status: 404, what: 'it is a shop' };
		expect(explain(stranger, { ...about, isProven: true })).toMatchObject({
			message: 'api.example.com gave no clients: it is a shop',
			failure: { cause: 'temporarily-unavailable' },
		});
	});

	it('says how often it was tried', () => {
		expect(explain({ kind: 'busy', reason: 'It is busy' }, { ...about, tries: 5 }).message).toBe(
			'It is busy (asked 5 times)',
		);
	});

	describe('when the service explains itself', () => {
		const read = (message: string, secrets: string[] = []) =>
			explain({ kind: 'refused', status: 400, message }, { ...about, secrets }).message.replace(/^.* request: /, '');

		it('is in a few lines, however much it says', () => {
			const message = read('word '.repeat(1_000_000));
			expect(message).toMatch(/^(word )+word…$/);
			expect(message.length).toBeLessThanOrEqual(301);
			expect(read('x'.repeat(300))).toBe('x'.repeat(300));
		});

		it('is in one line', () => {
			expect(read('  No \r\n\t such\u0000page.\n')).toBe('No such page.');
		});

		it('never ends in half a character', () => {
			expect(read(`${'x'.repeat(299)}👋👋`)).toBe(`${'x'.repeat(299)}…`);
		});

		it.each([280, 290, 299, 300])('holds no part of a secret, also where it is cut (%i)', (length) => {
			const secret = 'a-very-secret-token';
			expect(read(`${'x'.repeat(length)}${secret}`, [secret])).not.toMatch(/xa/);
			expect(read(`${'x'.repeat(length)}${encodeURIComponent('/')}${secret}`, [`/${secret}`])).not.toMatch(/[/a]/);
		});

		it('is the status where nothing is left of it', () => {
			expect(read(' \n ')).toBe('status 400');
		});
	});
});
