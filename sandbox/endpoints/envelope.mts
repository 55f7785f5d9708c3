export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: object | string;
	/** The service accepts the request and never responds. */
	isWithheld?: boolean;
}

export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}
}

const NOT_FOUND_PAGE =
	'<!doctype html>\n<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>\n';
const LOGIN_PAGE = '<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>\n';

export function succeed(message: string, data: object | null): Answer {
	return { status: 200, headers: {}, body: { status_code: 200, message, data } };
}

export function refuse({ status, message, headers }: Refusal): Answer {
	return { status, headers, body: { status_code: status, message, data: null } };
}

/** The same refusal inside an HTTP 200. */
export function refuseInEnvelope(refusal: Refusal): Answer {
	return { ...refuse(refusal), status: 200, headers: {} };
}

export function respondNoContent(): Answer {
	return { status: 204, headers: {}, body: '' };
}

export function withhold(): Answer {
	return { status: 200, headers: {}, body: '', isWithheld: true };
}

function showPage(status: number, body: string): Answer {
	return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** The response of a web server that does not know the envelope. */
export function showNotFound(): Answer {
	return showPage(404, NOT_FOUND_PAGE);
}

export function showLogin(status = 200): Answer {
	return showPage(status, LOGIN_PAGE);
}

export function redirect(location = '/login'): Answer {
	return { status: 302, headers: { location }, body: '' };
}
