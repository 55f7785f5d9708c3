import { join } from 'node:path';
import { startCluster, type Cluster } from '../../tools/cluster/cluster.mts';
import { obtainN8n } from '../../tools/n8n/install.mts';
import { startN8n, type N8nProcess } from '../../tools/n8n/server.mts';
import { placePackage } from '../../tools/project/package.mts';
import { FOLDERS, OUTPUT, TARBALL, VERSION } from './shared.mts';

/** An n8n whose main process, which handles requests and polls, can be stopped and restarted with the same data. */
export interface Host {
	start(): Promise<N8nProcess>;
	stop(): Promise<void>;
	/** The log file of that process. */
	log: string;
	/** In queue mode: the name of the worker of an execution. */
	workerOf?(executionId: string): string | undefined;
}

type Settings = Record<string, string>;

/** One process that does everything. */
export function singleHost(name: string, settings: Settings = {}): Host {
	const [userFolder, log] = [join(FOLDERS, name), join(OUTPUT, `${name}-n8n.log`)];
	let latest: N8nProcess | undefined;
	return {
		log,
		async start() {
			await placePackage(TARBALL, userFolder);
			latest = await startN8n(await obtainN8n(VERSION), {
				userFolder,
				log,
				settings: { N8N_LOG_LEVEL: 'debug', ...settings },
			});
			return latest;
		},
		stop: async () => await latest?.stop(),
	};
}

/** Queue mode: only the main process stops and restarts. */
export function clusterHost(name: string, workers: number, settings: Settings = {}): Host & { cluster(): Cluster } {
	const [folder, logs] = [join(FOLDERS, name), join(OUTPUT, name)];
	let cluster: Cluster | undefined;
	return {
		log: join(logs, 'main.log'),
		cluster: () => cluster as Cluster,
		workerOf: (executionId) => cluster?.workerOf(executionId),
		async start() {
			if (cluster) return await cluster.startMain();
			cluster = await startCluster(await obtainN8n(VERSION), {
				folder,
				logs,
				tarball: TARBALL,
				workers,
				settings: { N8N_LOG_LEVEL: 'debug', ...settings },
			});
			return cluster.main;
		},
		stop: async () => await cluster?.stop(),
	};
}
