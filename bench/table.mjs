/** A Markdown table that is readable as it is. */
export function formatTable(titles, rows) {
	const widths = titles.map((title, column) => Math.max(3, ...[titles, ...rows].map((cells) => cells[column].length)));
	const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
	return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
