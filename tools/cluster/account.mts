import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';

const OTHER_ACCOUNTS = ['postgres', 'nobody'];

/** The words before a command that must not run as root, and who owns its data. PostgreSQL refuses root. */
export function ordinaryAccount(): { prefix: string[]; own: (path: string) => void } {
	if (process.getuid?.() !== 0) return { prefix: [], own: () => {} };
	const [uid, gid] = idsOf(OTHER_ACCOUNTS);
	// Its data is below root's own folder, which is closed to other accounts.
	const access = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
	return {
		prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...access],
		own: (path) => chownSync(path, uid, gid),
	};
}

function idsOf([account, ...others]: string[]): [number, number] {
	try {
		const id = (flag: string) => Number(execFileSync('id', [flag, account], { stdio: ['ignore', 'pipe', 'ignore'] }));
		return [id('-u'), id('-g')];
	} catch (error) {
		if (others.length === 0) throw error;
		return idsOf(others);
	}
}
