// Runs a command in this process's group and ends the whole group when the process that started it is gone, even by
// kill -9: its end of our standard input then closes.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const endGroup = () => process.kill(-process.pid, 'SIGKILL');

// SIGTERM goes to the whole group. This process waits until the command has ended.
process.on('SIGTERM', () => {});
process.stdin.on('close', endGroup).resume();

spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
	.on('error', (error) => {
		console.error(error.message);
		process.exit(1);
	})
	.on('exit', (code) => (code === 0 ? process.exit(0) : endGroup()));
