import type { App } from '../app.mts';
import type { EnvironmentName } from '../endpoints/environment.mts';
import type { Liveliness } from './liveliness.mts';
import type { Messages } from './messages.mts';

/** What the control interface controls. */
export interface Controlled {
	app: App;
	/** Where each environment listens. */
	addresses(): Record<EnvironmentName, string>;
	startedAt: string;
	liveliness: Record<EnvironmentName, Liveliness>;
	messages: Messages;
}

export interface Call {
	environment: EnvironmentName;
	referenceId: string;
	parameters: URLSearchParams;
	body: string;
}

export interface Route {
	method: string;
	path: string;
	help: string;
	/** In addition to `environment`, which every call takes. */
	parameters?: readonly string[];
	takesBody?: boolean;
	act(controlled: Controlled, call: Call): unknown;
}

export class NotFound extends Error {}

export function readJson(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		throw new Error('The body is not valid JSON.');
	}
}
