import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createApp, type App, type AppOptions } from './app.mts';
import { createControl } from './control/control.mts';
import { refuse, Refusal } from './endpoints/envelope.mts';
import { ENVIRONMENT_NAMES, type EnvironmentName } from './endpoints/environment.mts';
import { deliver } from './faults/delivery.mts';
import { describeRequest, type ServedRequest } from './requests.mts';

export interface SandboxOptions extends AppOptions {
	/** Port of the sandbox environment; 0, the default, takes any free one. */
	port?: number;
	productionPort?: number;
	controlPort?: number;
	/** Address of the two environments. The control interface always listens on 127.0.0.1. */
	host?: string;
	/** With a certificate, production uses https. */
	tls?: { key: string; cert: string };
	control?: boolean;
	/** Called after each request. */
	onServed?: (request: ServedRequest) => void;
}

export interface Sandbox {
	app: App;
	environments: Record<EnvironmentName, { url: string; apiKey: string }>;
	/** Empty without a control interface. */
	controlUrl: string;
	close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const ANY_ADDRESS = ['0.0.0.0', '::'];
// Longer than clients keep idle connections, so that none is closed just when it is used again.
const KEEP_ALIVE_MS = 120_000;
const BACKLOG = 4096;

/** A parameter sent twice is joined like HTTP headers, so that neither value is dropped. */
function readQuery(search: string): Record<string, string> {
	const parameters = new URLSearchParams(search);
	return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]));
}

function serveEnvironment(
	app: App,
	environment: EnvironmentName,
	onServed: (request: ServedRequest) => void,
): RequestListener {
	return async (request, response) => {
		const startedMs = Date.now();
		request.resume();
		// The client closed the connection.
		response.on('error', () => {});
		const { method = '', url = '', headers } = request;
		const [path, search] = url.split(/\?(.*)/s);
		const asked = { environment, method, path, query: readQuery(search), headers };
		const answer = await app
			.answer(asked)
			.catch((error) => refuse(new Refusal(500, `The sandbox has an internal error: ${String(error)}`)));
		const keys = ENVIRONMENT_NAMES.map((name) => app.environment(name).apiKey);
		const report = () => onServed(describeRequest(asked, answer, startedMs, keys));
		if (response.destroyed) report();
		else response.once('close', report);
		await deliver(response, answer).catch(() => response.destroy());
	};
}

async function listen(server: Server, port: number, host: string): Promise<string> {
	server.keepAliveTimeout = KEEP_ALIVE_MS;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port, host, backlog: BACKLOG }, resolve);
	});
	const reachable = ANY_ADDRESS.includes(host) ? LOOPBACK : host;
	const authority = reachable.includes(':') ? `[${reachable}]` : reachable;
	return `${authority}:${(server.address() as AddressInfo).port}`;
}

/** Returns how to stop the server at once, whatever its connections are waiting for. */
function makeStoppable(server: Server): () => Promise<void> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	return async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		for (const socket of sockets) socket.destroy();
		await closed;
	};
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { host = LOOPBACK, port = 0, productionPort = 0, controlPort = 0, tls, control = true } = options;
	const app = createApp(options);
	const urls = { sandbox: '', production: '' };
	const controlInterface = createControl(app, host, () => urls);
	const onServed = (request: ServedRequest) => {
		controlInterface.note(request);
		options.onServed?.(request);
	};
	const serveProduction = serveEnvironment(app, 'production', onServed);
	const sandbox = createServer(serveEnvironment(app, 'sandbox', onServed));
	const production = tls ? createTlsServer(tls, serveProduction) : createServer(serveProduction);
	const controller = createServer(controlInterface.listener);
	const stops = [sandbox, production, controller].map(makeStoppable);
	const close = async () => {
		controlInterface.stop();
		await Promise.all(stops.map((stop) => stop()));
	};

	try {
		urls.sandbox = `http://${await listen(sandbox, port, host)}`;
		urls.production = `${tls ? 'https' : 'http'}://${await listen(production, productionPort, host)}`;
		const controlUrl = control ? `http://${await listen(controller, controlPort, LOOPBACK)}` : '';
		return {
			app,
			environments: {
				sandbox: { url: urls.sandbox, apiKey: app.environment('sandbox').apiKey },
				production: { url: urls.production, apiKey: app.environment('production').apiKey },
			},
			controlUrl,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}
