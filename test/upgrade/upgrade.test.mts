import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { Poller } from '../support/poller.mts';
import type { Service } from '../support/service.mts';
import {
	clientsOf,
	isTrigger,
	Life,
	pollAll,
	runNode,
	runTrigger,
	type Saved,
	type SavedNode,
	type Told,
} from './runs.mts';

const clients = clientsOf(__dirname);
const versions = readdirSync(__dirname).flatMap((name) => /^(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? []);

/** Since 0.3.0, an event has the same ID whatever version tells it. */
const HAVE_OTHER_IDS = ['0.1.0', '0.2.0'];

/** As an older version told it: this one may tell more of it. How many days have passed is another number every day. */
function asTold(polls: IDataObject[][], hasSameIds = false): unknown[][] {
	return polls.map((events) =>
		events.map(({ event_id: id, days_in_status: days, ...event }) =>
			expect.objectContaining({
				...event,
				event_id: hasSameIds ? id : expect.any(String),
				...(days !== undefined && { days_in_status: expect.any(Number) }),
			}),
		),
	);
}

/** What a trigger remembered elsewhere, as if it had been at this service. */
async function moveHere(remembered: IDataObject, { engine }: Service): Promise<string> {
	const poller = new Poller(engine);
	await poller.activate();
	const here = contentOf(JSON.parse(poller.saved ?? '') as IDataObject);
	const there = contentOf(remembered);
	// Version 0.1.0 had another name for the account and did not know the place.
	const place = 'service' in there ? { service: here.account } : { place: here.place, account: here.account };
	const body = JSON.stringify({ ...there, ...place });
	const [version] = String(remembered.state).split('.');
	const checksum = createHash('sha256').update(body).digest('hex').slice(0, 12);
	return JSON.stringify({ ...remembered, state: `${version}.${checksum}.${body}` });
}

function contentOf({ state }: IDataObject): IDataObject {
	return JSON.parse(String(state).replace(/^\d+\.\w+\./, '')) as IDataObject;
}

it('Of every version but the newest, there is a workflow that it saved', () => {
	const changes = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
	const [, ...earlier] = [...changes.matchAll(/^## (\S+)$/gm)].map(([, version]) => version);
	expect(earlier.length).toBeGreaterThan(0);
	expect(earlier.filter((version) => !versions.includes(version))).toEqual([]);
});

describe.each(versions)('A workflow that version %s saved', (version) => {
	const { workflow, outcomes } = JSON.parse(readFileSync(join(__dirname, `${version}.json`), 'utf8')) as Saved;
	const named = (nodes: SavedNode[]) => nodes.map((node) => [node.name, node] as const);
	const triggers = named(workflow.nodes.filter(isTrigger));
	const nodes = named(workflow.nodes.filter((node) => !isTrigger(node)));

	if (nodes.length > 0) {
		let life: Life;
		beforeAll(async () => {
			life = await Life.begin(clients);
		});

		it.each(nodes)('gives what it gave: %s', async (name, node) => {
			expect(await runNode(life.service, node, clients)).toEqual(outcomes[name]);
		});
	}

	it.each(triggers)('tells what it told: %s', async (name, node) => {
		const { atFirst, then, later } = outcomes[name] as Told;
		const told = await runTrigger(await Life.begin(clients), node);
		expect([told.atFirst]).toEqual(asTold([atFirst]));
		expect(told.then).toEqual(asTold(then));
		expect(told.later).toEqual(asTold(later));
	});

	it.each(triggers)(
		'goes on from what it remembered, with nothing lost and nothing told twice: %s',
		async (name, node) => {
			const { later } = outcomes[name] as Told;
			const life = await Life.begin(clients);
			life.goOn();
			const remembered = await moveHere(workflow.staticData?.[`node:${name}`] ?? {}, life.service);
			// While n8n was off.
			life.goOnLater();
			const poller = new Poller(life.service.engine, node.parameters);
			const told = [await poller.restart(remembered), ...(await pollAll(poller))];
			expect(told).toEqual(asTold(later, !HAVE_OTHER_IDS.includes(version)));
			expect(poller.failures).toEqual([]);
		},
	);
});
