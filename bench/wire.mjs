import { Pool } from 'undici';

const TOKEN_PATH = '/api/v1/generate-access-token/';
const LIST_PATH = '/api/v1/clients-list/';

export async function fetchToken({ url, apiKey }) {
	const answer = await fetch(`${url}${TOKEN_PATH}`, { headers: { 'api-key': apiKey } });
	return (await answer.json()).data.access_token;
}

/** The same requests with undici alone: first one request, then the others, `parallel` at once. */
export async function readBare({ url, token, queries, parallel }) {
	const pool = new Pool(url, { connections: parallel });
	const headers = { authorization: `Bearer ${token}` };
	const pages = [];
	const ask = async (index) => {
		const { body } = await pool.request({ method: 'GET', path: LIST_PATH, query: queries[index], headers });
		pages[index] = (await body.json()).data.results;
	};
	const startedMs = performance.now();
	await ask(0);
	let next = 1;
	const askOn = async () => {
		while (next < queries.length) await ask(next++);
	};
	await Promise.all(Array.from({ length: parallel }, askOn));
	const tookMs = performance.now() - startedMs;
	await pool.close();
	return { tookMs, pages };
}
