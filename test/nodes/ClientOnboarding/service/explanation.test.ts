import { describe, expect, it } from '@jest/globals';
import { explain } from '../../../../nodes/ClientOnboarding/service/explanation';

const about = { host: 'api.example.com', addressField: 'Production Base URL', tries: 1 };

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

	it('says how often it was tried', () => {
		expect(explain({ kind: 'busy', reason: 'It is busy' }, { ...about, tries: 5 }).message).toBe(
			'It is busy (asked 5 times)',
		);
	});
});
