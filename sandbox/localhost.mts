/** People know this machine as localhost. Servers listen on 127.0.0.1. */
export function showAsLocalhost(url: string): string {
	return url.replace('//127.0.0.1:', '//localhost:');
}
