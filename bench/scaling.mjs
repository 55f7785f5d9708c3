import { readFileSync, writeFileSync } from 'node:fs';
import { LOAD } from './load.mjs';
import { describeMachine, megabytes } from './report.mjs';
import { formatTable } from './table.mjs';
import { percentile } from './times.mjs';
import { formatCount, formatSeconds } from './wording.mjs';

const MARKS = ['<!-- measured: begin -->', '<!-- measured: end -->'];

/** Writes the measurements into their place in docs/scaling.md. */
export function updateScaling(file, figures) {
	const text = readFileSync(file, 'utf8');
	const [begin, end] = MARKS.map((mark) => text.indexOf(mark));
	if (begin < 0 || end < begin) throw new Error(`${file} has no place for what was measured: ${MARKS.join(' … ')}`);
	writeFileSync(file, `${text.slice(0, begin)}${MARKS[0]}\n\n${describeLoad(figures)}\n\n${text.slice(end)}`);
}

export function describeLoad({ install, single, cluster }) {
	const rows = [
		['finished executions', ({ listings }) => `${listings.length} of ${LOAD.executions}`],
		['webhook responses with all clients', ({ waits }) => `${waits.length} of ${LOAD.executions}`],
		['total time', ({ tookMs }) => formatSeconds(tookMs)],
		['List Clients, p50', ({ listings }) => formatSeconds(percentile(listings, 50))],
		['List Clients, p95', ({ listings }) => formatSeconds(percentile(listings, 95))],
		['webhook response time, p50', ({ waits }) => formatSeconds(percentile(waits, 50))],
		['webhook response time, p95', ({ waits }) => formatSeconds(percentile(waits, 95))],
		['token requests', ({ tokenRequests }) => String(tokenRequests)],
		['executions by process', ({ shares }) => shares.join(' + ')],
		['peak memory', ({ memory }) => memory.map(({ name, peak }) => `${name} ${megabytes(peak)}`).join(', ')],
	];
	const table = formatTable(
		['', 'one process, SQLite', `a main, ${LOAD.workers} workers, PostgreSQL, Redis`],
		rows.map(([title, read]) => [title, read(single), read(cluster)]),
	);
	return `Measured by \`npm run bench -- --queue\` on ${new Date().toISOString().slice(0, 10)}: n8n ${install.version}, ${describeMachine()}, everything on that one
machine. ${LOAD.executions} executions, ${LOAD.atOnce} at a time, each of which lists ${formatCount(LOAD.clients)} clients and saves them as n8n does by default.

${table}`;
}
