import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../../../tools/process/lifetime.mjs';

const WORKER = fileURLToPath(new URL('worker.js', import.meta.url));
/** Cases mostly wait for a slow service, so one CPU can run many. */
const LANES = 8;

/**
 * @typedef {import('../cases/cases.mts').Case} Case
 * @typedef {import('../promises/outcome.mts').Outcome} Outcome
 */

/** Processes that run cases. One that crashes is replaced, and its cases count as broken promises. */
export class Pool {
	/** @type {Array<import('node:child_process').ChildProcess>} */
	#workers = [];

	/** @type {Map<number, { worker: object, settle: (outcome: Outcome) => void }>} */
	#underWay = new Map();

	#id = 0;

	/** Broken promises that belong to no single case. @type {string[]} */
	strays = [];

	/** @param {number} jobs */
	constructor(jobs) {
		this.lanes = jobs * LANES;
		for (let job = 0; job < jobs; job++) this.#workers.push(this.#start(job));
		atEnd(() => this.#workers.forEach((worker) => worker.disconnect()));
	}

	/**
	 * @param {Case} testCase
	 * @returns {Promise<Outcome>}
	 */
	async run(testCase) {
		const id = ++this.#id;
		const worker = this.#workers[id % this.#workers.length];
		return await new Promise((settle) => {
			this.#underWay.set(id, { worker, settle });
			worker.send({ id, testCase });
		});
	}

	/** Before they end, the processes search what n8n wrote to disk for secrets. */
	async close() {
		const workers = this.#workers.splice(0);
		await Promise.all(
			workers.map(async (worker) => {
				worker.removeAllListeners('exit');
				worker.send({});
				await once(worker, 'exit');
			}),
		);
	}

	/** @param {number} job */
	#start(job) {
		const worker = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
		worker.on(
			'message',
			(/** @type {{ id?: number, outcome?: Outcome, stray?: string }} */ { id = 0, outcome, stray }) => {
				if (stray) this.strays.push(stray);
				if (outcome) this.#settle(id, outcome);
			},
		);
		worker.on('exit', (code, signal) => {
			const broken = [`the process died (${signal ?? code})`];
			for (const [id, { worker: owner }] of this.#underWay) {
				if (owner === worker) this.#settle(id, { broken, clients: 0, requests: 0, faults: 0 });
			}
			this.#workers[job] = this.#start(job);
		});
		return worker;
	}

	/**
	 * @param {number} id
	 * @param {Outcome} outcome
	 */
	#settle(id, outcome) {
		this.#underWay.get(id)?.settle(outcome);
		this.#underWay.delete(id);
	}
}
