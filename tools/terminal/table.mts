const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const GAP = '  ';

export interface Column {
	title: string;
	/** Longer texts are cut. */
	atMost: number;
	read(row: Record<string, unknown>): string;
}

function widthOf(text: string): number {
	return [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? 2 : 1), 0);
}

function cut(text: string, atMost: number): string {
	if (widthOf(text) <= atMost) return text;
	let kept = '';
	for (const letter of text) {
		if (widthOf(kept + letter) > atMost - 1) break;
		kept += letter;
	}
	return `${kept}…`;
}

/** The rows as lines of a terminal, titles first. */
export function formatTable(columns: readonly Column[], rows: ReadonlyArray<Record<string, unknown>>): string[] {
	const cells = [
		columns.map(({ title }) => title),
		...rows.map((row) => columns.map(({ read, atMost }) => cut(read(row).normalize('NFC'), atMost))),
	];
	const widths = columns.map((_, column) => Math.max(...cells.map((line) => widthOf(line[column]))));
	const lines = cells.map((line) =>
		line
			.map((text, column) => text + ' '.repeat(widths[column] - widthOf(text)))
			.join(GAP)
			.trimEnd(),
	);
	return [lines[0], widths.map((width) => '─'.repeat(width)).join(GAP), ...lines.slice(1)];
}
