import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** n8n's own log of when each node of an execution started and finished. */
export class EventLog {
	/** The log file of an n8n worker has another suffix. */
	constructor(userFolder, ending = '') {
		this.file = join(userFolder, `.n8n/n8nEventLog${ending}.log`);
	}

	/** Runs the workflow and measures from the start of its first measured node to the end of the last. */
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
		// Workers log the nodes, but not the end of a workflow.
		return events
			.filter(({ eventName, payload }) => eventName === 'n8n.node.finished' && payload.nodeName === nodes.at(-1))
			.map(
				({ payload: { executionId } }) =>
					atNode('n8n.node.finished', executionId, nodes.at(-1)) - atNode('n8n.node.started', executionId, nodes[0]),
			);
	}

	#events() {
		// The last line may be incomplete.
		const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
		return lines.filter((line) => line.includes('"n8n.')).map((line) => JSON.parse(line));
	}
}
