import stringWidth from 'string-width';

const GAP = '  ';

export interface Column {
	title: string;
	/** Longer texts are cut. */
	atMost: number;
	read(row: Record<string, unknown>): string;
}

function cut(text: string, atMost: number): string {
	if (stringWidth(text) <= atMost) return text;
	let kept = '';
	for (const letter of text) {
		if (stringWidth(kept + letter) > atMost - 1) break;
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
	const widths = columns.map((_, column) => Math.max(...cells.map((line) => stringWidth(line[column]))));
	const lines = cells.map((line) =>
		line
			.map((text, column) => text + ' '.repeat(widths[column] - stringWidth(text)))
			.join(GAP)
			.trimEnd(),
	);
	return [lines[0], widths.map((width) => '─'.repeat(width)).join(GAP), ...lines.slice(1)];
}
