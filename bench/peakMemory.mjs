import { readFileSync, writeFileSync } from 'node:fs';

/** The peak memory in bytes of the process that this guard started. Only Linux records it. */
export function peakMemory(guardPid) {
	if (process.platform !== 'linux') return undefined;
	return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${childOf(guardPid)}/status`, 'utf8'))[1]) * 1024;
}

/** Resets the recorded peak. */
export function resetPeak(guardPid) {
	if (process.platform === 'linux') writeFileSync(`/proc/${childOf(guardPid)}/clear_refs`, '5');
}

function childOf(guardPid) {
	return readFileSync(`/proc/${guardPid}/task/${guardPid}/children`, 'utf8').split(' ')[0];
}
