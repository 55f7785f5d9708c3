/** The least CPU time of several tries. Unlike wall time, it does not depend on other processes. */
export function cpuMsOf(work: () => void, tries: number): number {
	const times = Array.from({ length: tries }, () => {
		const before = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	});
	return Math.min(...times);
}
