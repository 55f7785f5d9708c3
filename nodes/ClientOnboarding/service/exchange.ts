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
	isWebPage,
	statusOf,
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
			if (!isLasting) throw new CredentialError(message, {});
			throw new CredentialError(`${message}. Check "${addressLabel(credentials)}"`);
		},
	);
}

function readToken(answer: Answer, credentials: ICredentialDataDecryptedObject): string {
	const place = servicePlace(credentials);
	const field = addressLabel(credentials);
	const status = statusOf(answer);
	if (isRefusal(status)) {
		throw new CredentialError(
			isWebPage(answer)
				? `The API key was not accepted by ${place}, which answered with a web page (status ${status}). A firewall may hold n8n back. If none does, check the key and "${field}"`
				: `The API key was not accepted by ${place}. Check that it is whole and belongs to this environment, or create one in the dashboard under Settings, API credentials`,
		);
	}
	const retryAfter = answer.headers['retry-after'];
	const later = { retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
	if (isBusy(status)) {
		throw new CredentialError(
			`${place} is busy or down and gave no access token (status ${status}). Try again in a moment`,
			later,
		);
	}
	if (isCutOff(answer)) {
		throw new CredentialError(
			`${place} gave no access token: its answer was empty or cut off (status ${status}). Try again in a moment; if it stays, check "${field}"`,
			later,
		);
	}

	const envelope = envelopeOf(answer);
	const token = isSuccess(status) ? asRecord(envelope?.data)?.access_token : undefined;
	if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
	if (envelope && isSuccess(answer.statusCode)) {
		throw new CredentialError(`${place} gave no access token for the API key (status ${status}). Check "${field}"`);
	}
	throw new CredentialError(
		`There is no client onboarding service at ${place}: ${describeAnswer(answer)}. Check "${field}"`,
	);
}
