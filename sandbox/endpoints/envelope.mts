export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: object | string;
}

/** What the service says no to, and how. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}
}

export function succeed(message: string, data: object): Answer {
	return { status: 200, headers: {}, body: { status_code: 200, message, data } };
}

export function refuse({ status, message, headers }: Refusal): Answer {
	return { status, headers, body: { status_code: status, message, data: null } };
}

/** The same refusal, hidden inside an HTTP 200. */
export function refuseInEnvelope(refusal: Refusal): Answer {
	return { ...refuse(refusal), status: 200 };
}
