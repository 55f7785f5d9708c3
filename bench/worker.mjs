// A separate process for measured work. It ends with the process that started it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../build/tools/process/lifetime.mjs';

const TASKS = fileURLToPath(new URL('tasks.mjs', import.meta.url));

/** Runs tasks one after the other in one new process. */
export function startWorker(node) {
	const child = fork(TASKS, { execPath: node, execArgv: ['--expose-gc'] });
	const stop = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill();
		await once(child, 'exit');
	};
	const forget = atEnd(stop);
	return {
		async ask(task, input) {
			child.send({ task, input });
			const settled = new AbortController();
			const events = ['message', 'exit'].map(async (event) => await once(child, event, { signal: settled.signal }));
			const [reply] = await Promise.race(events);
			for (const event of events) event.catch(() => {});
			settled.abort();
			if (reply?.result === undefined)
				throw new Error(`The task "${task}" ended early: ${reply?.message ?? 'see above'}`);
			return reply.result;
		},
		async stop() {
			forget();
			await stop();
		},
	};
}

/** Runs one task in a new process. */
export async function runTask(node, task, input) {
	const worker = startWorker(node);
	try {
		return await worker.ask(task, input);
	} finally {
		await worker.stop();
	}
}
