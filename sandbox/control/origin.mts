import type { IncomingHttpHeaders } from 'node:http';

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A browser lets any web page send requests to this machine, and a page whose name leads here even read the answers. It
 * always names the page, or the name, in these headers. Returns what is wrong with them.
 */
export function findStranger({ host = '', origin }: IncomingHttpHeaders, configured: string): string | undefined {
	const asked = host.toLowerCase();
	const hosts = [...OWN_HOSTS, configured.includes(':') ? `[${configured}]` : configured.toLowerCase()];
	if (!hosts.includes(asked.replace(/:\d+$/, ''))) {
		return `The control interface does not answer to the host "${host}". Call it localhost or 127.0.0.1.`;
	}
	if (origin === undefined || origin.toLowerCase() === `http://${asked}`) return undefined;
	return `The control interface takes no requests from web pages, such as those of "${origin}".`;
}
