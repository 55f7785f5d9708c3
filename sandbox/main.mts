import { Failure, report } from '../tools/terminal/failure.mjs';
import { ENVIRONMENT_NAMES } from './endpoints/environment.mts';
import { FLAGS, readOptions } from './flags.mts';
import { showAsLocalhost } from './localhost.mts';
import type { ServedRequest } from './requests.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from './server.mts';

const PORT_FLAGS = {
	port: '--port',
	productionPort: '--production-port',
	controlPort: '--control-port',
} as const;

function explainStart(error: NodeJS.ErrnoException & { port?: number }, options: SandboxOptions): string {
	const { code, port } = error;
	const flags = Object.entries(PORT_FLAGS).filter(([option]) => options[option as keyof typeof PORT_FLAGS] === port);
	const flag = flags.map(([, name]) => name).join(' or ') || '--port';
	if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another with ${flag}.`;
	if (code === 'EACCES') {
		return `Port ${port} requires root privileges. Choose one above 1023 with ${flag}.`;
	}
	if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code ?? '')) {
		return `Cannot listen on "${options.host}": this machine has no such address. Choose another with --host.`;
	}
	return `The sandbox could not start: ${error.message}`;
}

function printRequest({ environment, status, faults, method, path }: ServedRequest) {
	const outcome = status ?? faults.join(' ');
	console.log(`${environment.padEnd(10)}  ${outcome}  ${method} ${path}`);
}

function printStart({ app, environments, controlUrl }: Sandbox) {
	const keyWidth = Math.max(...ENVIRONMENT_NAMES.map((name) => environments[name].apiKey.length));
	const lines = ENVIRONMENT_NAMES.map((name) => {
		const { url, apiKey } = environments[name];
		const size = app.environment(name).clients.size.toLocaleString('en-US');
		return `  ${name.padEnd(10)}  ${showAsLocalhost(url)}  API key: ${apiKey.padEnd(keyWidth)}  ${size} client${size === '1' ? '' : 's'}`;
	});
	console.log(`
Client onboarding sandbox. All clients are made up and kept in memory only.

${lines.join('\n')}
  console     ${showAsLocalhost(controlUrl)}  change clients and see requests, in a browser or with curl

Press Ctrl-C to stop.
`);
}

async function main() {
	const flags = FLAGS.parse(process.argv.slice(2));
	if (flags.help) {
		process.stdout.write(FLAGS.help);
		return;
	}
	const options = readOptions(flags);
	const sandbox = await startSandbox({
		createdUntilMs: Date.now(),
		...options,
		onServed: flags.verbose ? printRequest : undefined,
	}).catch((error) => {
		throw new Failure(explainStart(error, options));
	});
	const stop = async () => {
		await sandbox.close();
		process.exit(0);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	printStart(sandbox);
}

main().catch((error) => process.exit(report(error)));
