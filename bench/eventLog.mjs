import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** What n8n itself writes down about every execution: when each node started and finished. */
export class EventLog {
	constructor(userFolder) {
		this.file = join(userFolder, '.n8n/n8nEventLog.log');
	}

	/** Runs the workflow; gives the milliseconds from the start of its first measured node to the end of the last. */
	async time({ id, nodes, run }) {
		const before = this.#finished(id).length;
		const clients = await run();
		let finished;
		while ((finished = this.#finished(id)).length === before) await sleep(LOOK_EVERY_MS);
		const { executionId } = finished.at(-1).payload;
		const at = (eventName, nodeName) => {
			const event = this.#events().find(
				({ payload, ...found }) =>
					found.eventName === eventName && payload.executionId === executionId && payload.nodeName === nodeName,
			);
			return Date.parse(event.ts);
		};
		return { clients, tookMs: at('n8n.node.finished', nodes.at(-1)) - at('n8n.node.started', nodes[0]) };
	}

	#finished(workflowId) {
		return this.#events().filter(
			({ eventName, payload }) => eventName === 'n8n.workflow.success' && payload.workflowId === workflowId,
		);
	}

	#events() {
		// The last line may be half written.
		const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
		return lines.filter((line) => line.includes('"n8n.')).map((line) => JSON.parse(line));
	}
}
