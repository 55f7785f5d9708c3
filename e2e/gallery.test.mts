import { readdirSync } from 'node:fs';
import { beforeAll, describe, it } from '@jest/globals';
import { sharedN8n } from './support/shared.mts';
import { Stage } from './support/stage.mts';

const PATIENCE_MS = 240_000;
const { client: n8n } = sharedN8n();

interface Story {
	promise: string;
	play(stage: Stage): Promise<void>;
}

const STORIES = readdirSync(`${__dirname}/gallery`).map((file): [string, Story] => [
	file.replace('.mts', ''),
	require(`./gallery/${file}`) as Story,
]);

/** All run at the same time, since they mostly wait for the next poll. */
const played = new Map<string, Promise<void>>();

beforeAll(() => {
	for (const [example, { play }] of STORIES) {
		const outcome = playOn(play);
		// The test of the example reports it.
		outcome.catch(() => {});
		played.set(example, outcome);
	}
});

async function playOn(play: Story['play']): Promise<void> {
	const stage = await Stage.open(n8n);
	await play(stage).finally(() => stage.close());
}

describe.each(STORIES)('The example %s', (example, { promise }) => {
	it(promise, async () => await played.get(example), PATIENCE_MS);
});
