import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** What n8n itself writes down about every execution: when each node started and finished. */
export class EventLog {
	/** A worker of n8n's has another ending to the name of its file. */
	constructor(userFolder, ending = '') {
		this.file = join(userFolder, `.n8n/n8nEventLog${ending}.log`);
	}

	/** Runs the workflow; gives the milliseconds from the start of its first measured node to the end of the last. */
	async time(workflow) {
		const before = this.times(workflow).length;
		const clients = await workflow.run();
		let times;
		while ((times = this.times(workflow)).length === before) await sleep(LOOK_EVERY_MS);
		return { clients, tookMs: times.at(-1) };
	}

	/** The milliseconds that each execution of the workflow took for its measured nodes, in the order of their end. */
	times({ id, nodes }) {
		const events = this.#events().filter(({ payload }) => payload.workflowId === id);
		const keyOf = ({ eventName, payload }) => [eventName, payload.executionId, payload.nodeName].join();
		const at = new Map(events.map((event) => [keyOf(event), Date.parse(event.ts)]));
		const atNode = (eventName, executionId, nodeName) =>
			at.get(keyOf({ eventName, payload: { executionId, nodeName } }));
		// Workers note the nodes, but not the end of a workflow.
		return events
			.filter(({ eventName, payload }) => eventName === 'n8n.node.finished' && payload.nodeName === nodes.at(-1))
			.map(
				({ payload: { executionId } }) =>
					atNode('n8n.node.finished', executionId, nodes.at(-1)) - atNode('n8n.node.started', executionId, nodes[0]),
			);
	}

	#events() {
		// The last line may be half written.
		const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
		return lines.filter((line) => line.includes('"n8n.')).map((line) => JSON.parse(line));
	}
}
