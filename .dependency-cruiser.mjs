const NODE = '^nodes/ClientOnboarding';

/** The folders of each part, from top to bottom: each may use those below it, none above or beside it. */
const LAYERS = [
	[
		[`${NODE}/[^/]+$`],
		[`${NODE}/operations/`, `${NODE}/trigger/`],
		[`${NODE}/parameters/`],
		[`${NODE}/query/`],
		[`${NODE}/pagination/`, '^credentials/'],
		[`${NODE}/api/`],
	],
	[
		['^sandbox/main'],
		['^sandbox/flags'],
		['^sandbox/server'],
		['^sandbox/control/'],
		['^sandbox/app', '^sandbox/requests'],
		['^sandbox/faults/'],
		['^sandbox/endpoints/'],
		['^sandbox/data/'],
	],
	[
		['^tools/machinery'],
		['^tools/cluster/'],
		['^tools/n8n/'],
		['^tools/project/'],
		['^tools/process/', '^tools/network/'],
		['^tools/terminal/'],
	],
	[['^(bench|demo|e2e|release|test)/'], ['^sandbox/'], ['^tools/'], ['^(nodes|credentials)/']],
];

function forbidUpwards(floors) {
	return floors.flatMap((floor, level) =>
		floor.flatMap((room) => {
			const beside = floor.filter((other) => other !== room);
			const notBelow = [...floors.slice(0, level).flat(), ...beside];
			return notBelow.length === 0
				? []
				: [rule(`${room} uses only what is below it`, { path: room }, { path: notBelow })];
		}),
	);
}

function rule(name, from, to) {
	return { name, severity: 'error', from, to };
}

export default {
	forbidden: [
		rule('no cycle between files', {}, { circular: true }),
		{ ...rule('no cycle between folders', {}, { circular: true }), scope: 'folder' },
		...LAYERS.flatMap(forbidUpwards),
		rule(
			'the package needs nothing but n8n-workflow',
			{ path: '^(nodes|credentials)/' },
			{ pathNot: ['^(nodes|credentials)/', '/n8n-workflow/', '^(node:)?crypto$'] },
		),
		rule(
			'the sandbox shares no code with what it tries',
			{ path: '^sandbox/' },
			{ pathNot: ['^sandbox/', '^tools/terminal/', '(^|/)node_modules/yaml/'], dependencyTypesNot: ['core'] },
		),
		rule(
			'the randomized tests use the package through n8n only',
			{ path: '^test/randomized/' },
			{ path: '^(nodes|credentials)/' },
		),
		rule(
			'demo, e2e, bench, release and test are neighbours',
			{ path: '^(bench|demo|e2e|release)/' },
			{ path: '^(bench|demo|e2e|release|test)/', pathNot: '^$1/' },
		),
		// What is built may not be there yet.
		rule('every import leads somewhere', {}, { couldNotResolve: true, pathNot: '^[.]{2}/(build|dist)/' }),
	],
	options: {
		tsPreCompilationDeps: true,
		detectJSDocImports: true,
		parser: 'tsc',
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^(build|dist)/' },
		enhancedResolveOptions: {
			extensions: ['.ts', '.mts', '.mjs', '.js', '.json', '.node'],
			exportsFields: ['exports'],
			conditionNames: ['require', 'node', 'import', 'types', 'default'],
		},
	},
};
