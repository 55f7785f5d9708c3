// Plants one bug after the other in the source and sees that the campaign catches it.
require('../../support/environment.js');
const { plant } = require('../../support/load.js');
const { BUGS } = require('./bugs.mts');

const strays = [];
process.on('unhandledRejection', (error) => strays.push(`a rejection that nobody handles: ${error?.message}`));

/** The promises that these cases break, one after the other until one does. */
async function findBroken(cases) {
	const { runCase } = require('../pool/runCase.mts');
	const { PLAIN } = require('../cases/cases.mts');
	strays.length = 0;
	for (const testCase of cases) {
		const { broken } = await runCase({ ...PLAIN, ...testCase });
		await new Promise(setImmediate);
		if (broken.length + strays.length > 0) return [...broken, ...strays];
	}
	return [];
}

async function main() {
	const names = process.argv.slice(2);
	const chosen = BUGS.filter(({ name }) => names.length === 0 || names.includes(name));
	// Several bugs share their cases.
	const met = new Set();
	const isNew = (each) => met.size < met.add(JSON.stringify(each)).size;
	const [early] = (await Promise.all(chosen.map(({ cases }) => findBroken(cases.filter(isNew))))).flat();
	if (early) console.log(`✗ without any bug: ${early}`);
	let caught = 0;
	for (const { name, cases, ...bug } of chosen) {
		plant(bug);
		const [found] = await findBroken(cases);
		if (found) caught += 1;
		console.log(
			found ? `✓ a bug that ${name}: ${found.split('\n')[0].slice(0, 120)}` : `✗ a bug that ${name} is not caught`,
		);
	}
	console.log(`\n${caught} of ${chosen.length} planted bugs are caught`);
	process.exit(early || caught < chosen.length ? 1 : 0);
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
