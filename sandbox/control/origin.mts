import type { IncomingHttpHeaders } from 'node:http';

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const OWN_SITES = ['same-origin', 'none'];

/**
 * A browser lets any web page send requests to this machine. A page whose host name resolves to this machine can also
 * read the responses (DNS rebinding). These headers name the page and the host. Returns why the request is refused.
 */
export function refuseOrigin(headers: IncomingHttpHeaders, configured: string): string | undefined {
	const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers;
	const asked = host.toLowerCase();
	const hosts = [...OWN_HOSTS, configured.includes(':') ? `[${configured}]` : configured.toLowerCase()];
	if (!hosts.includes(asked.replace(/:\d+$/, ''))) {
		return `The control interface does not accept the host "${host}". Use localhost.`;
	}
	if (origin !== undefined && origin.toLowerCase() !== `http://${asked}`) {
		return `The control interface does not accept requests from the web page "${origin}".`;
	}
	if (OWN_SITES.includes(String(site)) || isNavigation(headers)) return undefined;
	return 'The control interface does not accept requests from other web pages.';
}

/** A followed link is allowed: the page that contains the link cannot read the response. */
function isNavigation({ 'sec-fetch-mode': mode, 'sec-fetch-dest': destination }: IncomingHttpHeaders): boolean {
	return mode === 'navigate' && destination === 'document';
}
