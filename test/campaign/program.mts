import { execFile } from 'node:child_process';
import { join } from 'node:path';

export const PATIENCE_MS = 25 * 60_000;

/** Lines that show progress say nothing about the end. */
const PROGRESS = /^ {2}\w.* · (\d+ min )?\d+ s\n/gm;

/** Runs a program of the campaign; gives what it printed, however it ended. */
export async function runProgram(script: string, ...words: string[]): Promise<{ isGood: boolean; output: string }> {
	return await new Promise((resolve) => {
		execFile(process.execPath, [join(__dirname, script), ...words], (error, stdout, stderr) =>
			resolve({ isGood: !error, output: (stdout + stderr).replace(PROGRESS, '') }),
		);
	});
}
