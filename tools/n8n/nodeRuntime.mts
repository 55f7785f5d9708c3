import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainNpm, npmCommand, npmEnvironment, runCommand } from '../process/command.mjs';
import { obtain } from './cache.mts';

/** The newest of this line: which of its versions the registry has differs between platforms. */
const VERSION = '24';

export interface NodeRuntime {
	/** Path of the node binary. */
	node: string;
	/** Its C++ headers, if included. */
	headers?: string;
}

/** A Node the given n8n runs on: this machine's own, or Node 24 from the registry. */
export async function obtainNode(n8nVersion: string): Promise<NodeRuntime> {
	const own = Number.parseInt(process.versions.node, 10);
	const [major, minor] = n8nVersion.split('.').map(Number);
	const isNew = major > 2 || (major === 2 && minor >= 40);
	// Older n8n takes Node 20 too, but not the expression engine it comes with.
	const suits = isNew ? own >= 24 : own >= 22 && own <= 24;
	if (suits) return { node: process.execPath };

	const platform = `${process.platform}-${process.arch}`;
	const folder = await obtain({
		name: `node-${VERSION}-${platform}`,
		what: `Downloading Node ${VERSION} for n8n ${n8nVersion}`,
		gigabytes: 0.5,
		make: async (draft) => {
			const log = `${draft}.log`;
			writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
			const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `node-${platform}@${VERSION}`];
			await runCommand([...npmCommand(), ...words], {
				cwd: draft,
				env: npmEnvironment(),
				log,
				explain: explainNpm(`Node ${VERSION}`, log),
			});
			rmSync(log);
		},
	});
	const root = join(folder, 'node_modules', `node-${platform}`);
	return { node: join(root, 'bin', 'node'), headers: root };
}
