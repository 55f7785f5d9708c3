import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { addressLabel, apiKeyOf, CredentialError, serviceAddress, servicePlace } from './address';
import type { Answer } from './answer';
import {
	asRecord,
	describeAnswer,
	envelopeOf,
	isBusy,
	isCutOff,
	isRefusal,
	isSuccess,
	statusOf,
	isRedirect,
} from './answer';
import type { Request } from './request';
import { sendPlainly } from './request';
import type { TransportTrouble } from './transport';

const TIMEOUT_MS = 15_000;

/** How a service may answer a method it does not take. */
const WRONG_METHOD = [404, 405, 501];

/** Exchanges the API key for a token. The specification does not show the method. */
export async function exchangeKey(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	const first = await ask(helper, credentials, 'GET');
	const second = isWrongMethod(first) ? await ask(helper, credentials, 'POST') : undefined;
	// Where neither method is right, the first answer tells what is wrong.
	return readToken(second && !isWrongMethod(second) ? second : first, credentials);
}

function isWrongMethod(answer: Answer): boolean {
	const inEnvelope = statusOf({ ...answer, statusCode: 200 });
	const statuses = [answer.statusCode, inEnvelope];
	return statuses.some((status) => WRONG_METHOD.includes(status)) && !statuses.some(isRefusal);
}

async function ask(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
	method: Request['method'],
): Promise<Answer> {
	const address = serviceAddress(credentials);
	const url = `${address}/api/v1/generate-access-token/`;
	const request = { method, url, headers: { 'api-key': apiKeyOf(credentials) } };
	return await sendPlainly(helper, request, { host: new URL(address).host, timeoutMs: TIMEOUT_MS }).catch(
		({ message, isLasting }: TransportTrouble) => {
			const field = addressLabel(credentials);
			if (isLasting) throw new CredentialError(`${message}. Check "${field}"`);
			throw new CredentialError(`${message}. If trying again does not help, check "${field}"`, { busy: {} });
		},
	);
}

function readToken(answer: Answer, credentials: ICredentialDataDecryptedObject): string {
	const place = servicePlace(credentials);
	const field = addressLabel(credentials);
	const status = statusOf(answer);
	const envelope = envelopeOf(answer);
	if (isRefusal(status)) {
		throw new CredentialError(
			envelope
				? `The API key was not accepted by ${place}. Check that it is whole and belongs to this environment, or create one in the dashboard under Settings, API credentials`
				: `The API key was not accepted by ${place}: ${describeAnswer(answer)}. Check that it is whole and belongs to this environment. If so, a firewall may hold n8n back, or "${field}" leads elsewhere`,
			{ isStranger: !envelope },
		);
	}
	const retryAfter = answer.headers['retry-after'];
	const busy = { retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
	if (isBusy(status)) {
		throw new CredentialError(
			`${place} is busy or down and gave no access token (status ${status}). Try again in a moment`,
			{ busy },
		);
	}
	if (isCutOff(answer)) {
		throw new CredentialError(
			`${place} gave no access token: its answer was empty or cut off (status ${status}). Try again in a moment; if that does not help, check "${field}"`,
			{ busy },
		);
	}

	const token = asRecord(envelope?.data)?.access_token;
	const plainToken = typeof token === 'string' ? token.trim().replace(/^Bearer\s+/i, '') : '';
	if (isSuccess(status) && /^[\x21-\x7e]+$/.test(plainToken)) return plainToken;
	// A wrong path, method or place is the address's fault, whoever says so.
	const isElsewhere = isRedirect(answer.statusCode) || isWrongMethod(answer);
	if (envelope && (isSuccess(answer.statusCode) || !isElsewhere)) {
		// What else it says is not repeated: a token that nobody knows yet may stand in it.
		throw new CredentialError(
			`${place} gave no access token (status ${status}). Check the API key and "${field}". If both are right, ask whoever runs the service`,
			{ isStranger: isSuccess(status) },
		);
	}
	throw new CredentialError(
		`There is no client onboarding service at ${place}: ${describeAnswer(answer)}. Check "${field}"`,
		{ isStranger: !envelope },
	);
}
