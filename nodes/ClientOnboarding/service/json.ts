/** Numbers of fewer figures are kept as they are. */
const MANY_FIGURES = /\d{16}/;
/** What a text may hold, where a text begins or ends, and long whole numbers. */
const MARKS = /\\.|"|(?<![\d.e+-])-?\d{16,}(?![\d.e])/gi;

/**
 * What the text means as JSON; the text itself where it means nothing. Whole numbers that JavaScript would round, such as long
 * IDs, stay what they are: as text.
 */
export function parseJson(text: string): unknown {
	try {
		const parsed: unknown = JSON.parse(text);
		return MANY_FIGURES.test(text) ? JSON.parse(quoteLongNumbers(text)) : parsed;
	} catch {
		return text;
	}
}

function quoteLongNumbers(json: string): string {
	let isInText = false;
	return json.replace(MARKS, (mark) => {
		if (mark === '"') isInText = !isInText;
		const isKept = isInText || mark === '"' || Number.isSafeInteger(Number(mark));
		return isKept ? mark : `"${mark}"`;
	});
}
