import type { App } from '../app.mts';
import type { EnvironmentName } from '../endpoints/environment.mts';
import type { Liveliness } from './liveliness.mts';
import type { Messages } from './messages.mts';

/** All that can be steered. */
export interface Steered {
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
	/** Beside `environment`, which every call takes. */
	parameters?: readonly string[];
	takesBody?: boolean;
	act(steered: Steered, call: Call): unknown;
}

/** What the call is about does not exist. */
export class NotFound extends Error {}

export function readJson(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		throw new Error('The body is not valid JSON.');
	}
}
