// Runs the cases that its parent sends, many at the same time, and sends the results back.
require('../../support/environment.js');
require('../../support/load.js');
const { runCase } = require('./runCase.mts');
const { expectNoSecretOnDisk } = require('../../support/secrets.mts');

process.on('unhandledRejection', (error) =>
	process.send({ stray: `a rejection that nobody handles: ${error?.stack ?? error}` }),
);
process.on('disconnect', () => process.exit());
process.on('message', async ({ id, testCase }) => {
	if (testCase) process.send({ id, outcome: await runCase(testCase) });
	else finish();
});

/** The parent has no more cases. */
function finish() {
	try {
		expectNoSecretOnDisk();
	} catch (error) {
		process.send({ stray: error.message });
	}
	process.disconnect();
}
