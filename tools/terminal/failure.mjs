/** Printed for the user as one line, without a stack trace. */
export class Failure extends Error {
	/**
	 * @param {string} message
	 * @param {number} [exitCode]
	 */
	constructor(message, exitCode = 1) {
		super(message);
		this.exitCode = exitCode;
	}
}

/**
 * Prints the error and returns the exit code.
 * @param {unknown} error
 */
export function report(error) {
	const { message, code, exitCode = 1 } = /** @type {Failure & { code?: string }} */ (error);
	console.error(code === 'ENOSPC' ? 'The disk is full. Free some space and start again.' : message);
	return exitCode;
}
