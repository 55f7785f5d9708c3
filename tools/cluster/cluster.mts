import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { N8nInstall } from '../n8n/install.mts';
import { startN8n, startWorker, type N8nProcess } from '../n8n/server.mts';
import { placePackage } from '../project/package.mts';
import { startPostgres } from './postgres.mts';
import { obtainPrograms } from './programs.mts';
import { startRedis, type Queue } from './redis.mts';

export interface ClusterOptions {
	/** Everything of the cluster is in here. */
	folder: string;
	/** For what each process prints. */
	logs: string;
	tarball: string;
	workers: number;
	/** Of the editor. */
	port?: number;
	settings?: Record<string, string>;
	report?: (detail: string) => void;
}

export interface Worker extends N8nProcess {
	name: string;
}

/** n8n as it scales: a main that takes requests and polls, workers that run workflows, PostgreSQL and Redis between them. */
export interface Cluster {
	main: N8nProcess;
	workers: Worker[];
	queue: Queue;
	/** After the first one has ended. */
	startMain(): Promise<N8nProcess>;
	/** After the one of this name has ended. */
	startWorker(name: string): Promise<Worker>;
	/** The name of the worker that ran this execution. */
	workerOf(executionId: string): string | undefined;
	/** Resolves with the name of the first process that ends. */
	ended: Promise<string>;
	stop(): Promise<void>;
}

export async function startCluster(install: N8nInstall, options: ClusterOptions): Promise<Cluster> {
	const { folder, logs, tarball, workers: count, port, report = () => {} } = options;
	for (const path of [folder, logs]) mkdirSync(path, { recursive: true, mode: 0o700 });
	const names = Array.from({ length: count }, (_, index) => `worker-${index + 1}`);
	const logOf = (name: string) => join(logs, `${name}.log`);
	for (const name of ['main', ...names]) rmSync(logOf(name), { force: true });

	report('PostgreSQL and Redis');
	const programs = await obtainPrograms();
	const [database, queue] = await Promise.all([
		startPostgres(programs, { folder: join(folder, 'postgres'), log: logOf('postgres') }),
		startRedis(programs, { folder: join(folder, 'redis'), log: logOf('redis') }),
	]);
	const settings = {
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_ENCRYPTION_KEY: keepKey(join(folder, 'encryption-key')),
		...database.settings,
		...queue.settings,
		...options.settings,
	};
	const home = async (name: string) => {
		const userFolder = join(folder, name);
		await placePackage(tarball, userFolder);
		return { userFolder, log: logOf(name), settings };
	};
	const openMain = async () => await startN8n(install, { ...(await home('main')), port });
	const openWorker = async (name: string) => ({ ...(await startWorker(install, await home(name))), name });

	report('starting the main process');
	// First, since it creates the tables that workers need.
	const main = await openMain();
	report(count === 1 ? 'starting the worker' : `starting ${count} workers`);
	const workers = await Promise.all(names.map(openWorker));
	const started: N8nProcess[] = [main, ...workers];
	const track = <T extends N8nProcess>(process: T) => {
		started.push(process);
		return process;
	};
	const workerOf = (executionId: string) =>
		names.find((name) => readFileSync(logOf(name), 'utf8').includes(`started execution ${executionId} `));
	return {
		main,
		workers,
		queue,
		startMain: async () => track(await openMain()),
		startWorker: async (name) => track(await openWorker(name)),
		workerOf,
		ended: Promise.race([
			main.ended.then(() => 'The main process'),
			...workers.map(({ ended, name }) => ended.then(() => `The process ${name}`)),
			database.finished.then(() => 'PostgreSQL'),
			queue.finished.then(() => 'Redis'),
		]),
		async stop() {
			await Promise.all(started.map((process) => process.stop()));
			await Promise.all([database.stop(), queue.stop()]);
		},
	};
}

/** All processes of a cluster read credentials with one key. */
function keepKey(file: string): string {
	if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
	return readFileSync(file, 'utf8');
}
