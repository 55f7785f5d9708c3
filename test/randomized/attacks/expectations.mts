import { randomUUID } from 'node:crypto';
import { forgetSecret, trackSecret } from '../../support/secrets.mts';
import { json, serveRaw, type RawService } from '../world/rawService.mts';
import { rightList, rightToken } from './rightResponses.mts';

export const ALL = { returnAll: true };

export type Answers = Partial<Record<'token' | 'list', Parameters<typeof serveRaw>[0]>>;

type Run = ReturnType<RawService['engine']['run']>;

/** Runs the node with a service that has this response and is otherwise correct, with three clients. Returns the broken promises. */
export async function withService(
	answers: Answers,
	work: (service: RawService) => Promise<string[]>,
): Promise<string[]> {
	const answerRightly: Parameters<typeof serveRaw>[0] = ({ endpoint }, { token }) =>
		json(endpoint === 'token' ? rightToken(token) : rightList(3));
	const service = await serveRaw((request, self) => (answers[request.endpoint] ?? answerRightly)(request, self));
	const broken = await work(service);
	return (await service.close()) > 0 ? [...broken, 'a connection is left open'] : broken;
}

export async function expectMessage(running: Run, text: RegExp): Promise<string[]> {
	const { json: rows, error } = await running;
	return rows.length === 0 && error && text.test(error.message)
		? []
		: [`${rows.length} clients and the message "${error?.message}"`];
}

export async function expectRows(running: Run, count: number): Promise<string[]> {
	const { json: rows, error } = await running;
	return rows.length === count && !error ? [] : [`${rows.length} rows and the message "${error?.message}"`];
}

/** An invalid credential is refused with a message that names the field. Nothing of it is sent or shown. */
export async function expectRefusal(changes: Record<string, string>, text: RegExp): Promise<string[]> {
	const secret = randomUUID();
	trackSecret(secret);
	const broken = await withService({}, async ({ engine, asked }) => {
		engine.edit(
			Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, value.replace('SECRET', secret)])),
		);
		const run = await expectMessage(engine.run({ parameters: ALL }), text);
		const { status, message } = await engine.testCredential();
		const verdict = status === 'Error' && text.test(message) ? [] : [`the credential is judged ${status} "${message}"`];
		return [...run, ...verdict, ...(asked.list + asked.token > 0 ? ['a request was sent'] : [])];
	});
	forgetSecret(secret);
	return broken;
}
