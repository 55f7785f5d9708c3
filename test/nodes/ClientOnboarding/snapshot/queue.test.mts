import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Pace } from '../../../../nodes/ClientOnboarding/snapshot/pace';
import { PageQueue } from '../../../../nodes/ClientOnboarding/snapshot/queue';
import type { PageAnswer } from '../../../../nodes/ClientOnboarding/service/retrying';

const PAGES = 20;

describe('Pages that are asked for ahead', () => {
	it('are asked for before the first one has come, and each request leaves before the next is made', async () => {
		const story: string[] = [];
		const waiting: ServerResponse[] = [];
		const server = createServer((request, response) => {
			story.push(`arrived ${request.url}`);
			if (waiting.push(response) === PAGES) for (const one of waiting) one.end();
		});
		await once(server.listen(0, '127.0.0.1'), 'listening');
		const { port } = server.address() as AddressInfo;
		const ask = async (number: number): Promise<PageAnswer> => {
			story.push(`made /${number}`);
			await (await fetch(`http://127.0.0.1:${port}/${number}`)).text();
			return { kind: 'page', page: { clients: [{ number }] }, tookMs: 0, wasOverloaded: false };
		};

		const queue = new PageQueue(ask, new Pace(PAGES), 1, 0);
		queue.planUpTo(PAGES);
		const came = [];
		while (!queue.isDone) came.push(await queue.next());
		server.close();

		const numbers = came.map((answer) => answer.kind === 'page' && answer.page.clients[0].number);
		expect(numbers).toEqual(Array.from({ length: PAGES }, (_, index) => index + 1));
		expect(story.indexOf('arrived /1')).toBeLessThan(story.indexOf(`made /${PAGES / 2}`));
	});

	it('come also where answers are quicker than the next request is made', async () => {
		const ask = async (number: number): Promise<PageAnswer> => ({
			kind: 'page',
			page: { clients: [{ number }] },
			tookMs: 0,
			wasOverloaded: false,
		});
		const queue = new PageQueue(ask, new Pace(PAGES), 1, 0);
		const came = [];
		for (let number = 1; number <= PAGES; number++) {
			queue.planMore(1);
			came.push(await queue.next());
		}
		expect(came.map(({ kind }) => kind)).toEqual(Array.from({ length: PAGES }, () => 'page'));
		expect(queue.isDone).toBe(true);
	});
});
