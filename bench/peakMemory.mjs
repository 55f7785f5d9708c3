import { readFileSync, writeFileSync } from 'node:fs';

/** The most memory in bytes that the process started by this guard has had so far; only Linux keeps count of it. */
export function peakMemory(guardPid) {
	if (process.platform !== 'linux') return undefined;
	return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${childOf(guardPid)}/status`, 'utf8'))[1]) * 1024;
}

/** From now on the most counts that is used from now on. */
export function startPeakAnew(guardPid) {
	if (process.platform === 'linux') writeFileSync(`/proc/${childOf(guardPid)}/clear_refs`, '5');
}

function childOf(guardPid) {
	return readFileSync(`/proc/${guardPid}/task/${guardPid}/children`, 'utf8').split(' ')[0];
}
