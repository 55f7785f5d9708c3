import { readFileSync } from 'node:fs';

/** The most memory in bytes that the process started by this guard has had so far; only Linux keeps count of it. */
export function peakMemory(guardPid) {
	if (process.platform !== 'linux') return undefined;
	const [pid] = readFileSync(`/proc/${guardPid}/task/${guardPid}/children`, 'utf8').split(' ');
	return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}
