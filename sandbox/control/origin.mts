import type { IncomingHttpHeaders } from 'node:http';

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const OWN_SITES = ['same-origin', 'none'];

/**
 * A browser lets any web page send requests to this machine, and a page whose name leads here even read the answers. It
 * always names the page, or the name, in these headers. Returns what is wrong with them.
 */
export function findStranger(headers: IncomingHttpHeaders, configured: string): string | undefined {
	const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers;
	const asked = host.toLowerCase();
	const hosts = [...OWN_HOSTS, configured.includes(':') ? `[${configured}]` : configured.toLowerCase()];
	if (!hosts.includes(asked.replace(/:\d+$/, ''))) {
		return `The control interface does not answer to the host "${host}". Call it localhost or 127.0.0.1.`;
	}
	if (origin !== undefined && origin.toLowerCase() !== `http://${asked}`) {
		return `The control interface takes no requests from web pages, such as those of "${origin}".`;
	}
	if (OWN_SITES.includes(String(site)) || isNavigation(headers)) return undefined;
	return 'The control interface takes no requests from other web pages.';
}

/** Somebody followed a link to here: the page that had it sees nothing of the answer. */
function isNavigation({ 'sec-fetch-mode': mode, 'sec-fetch-dest': destination }: IncomingHttpHeaders): boolean {
	return mode === 'navigate' && destination === 'document';
}
