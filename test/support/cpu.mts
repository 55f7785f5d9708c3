/** The least of the processor's time it takes in several tries, which other processes take no part in. */
export function cpuMsOf(work: () => void, tries: number): number {
	const times = Array.from({ length: tries }, () => {
		const before = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	});
	return Math.min(...times);
}
