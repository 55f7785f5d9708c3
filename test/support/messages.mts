import ts from 'typescript';

/** Stands for a part of a message that is only known at run time. */
export const HOLE = '…';

/** Texts that n8n shows in forms and panels. In an object with a name, they describe a field or a choice. */
const FORM_TEXTS = ['action', 'description', 'displayName', 'hint', 'name', 'placeholder'];

/** Texts that are not shown to people. */
const NOT_FOR_PEOPLE = [`Bearer ${HOLE}`];

export interface Texts {
	/** All messages and parts of messages that people may read. */
	messages: string[];
	/** The small parts without words between them, such as a colon. */
	joints: string[];
	/** The names of fields and choices. */
	labels: string[];
}

/** The texts of a source file. A text with words that is not known to be something else counts as a message. */
export function textsIn(source: string): Texts {
	const texts: Texts = { messages: [], joints: [], labels: [] };
	const visit = (node: ts.Node): void => {
		const text = textOf(node);
		if (text !== undefined) kindOf(node, text, texts)?.push(text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
	return texts;
}

function kindOf(node: ts.Node, text: string, { messages, joints, labels }: Texts): string[] | undefined {
	if (isOfForm(node)) return ['displayName', 'name'].includes(propertyNameOf(node) ?? '') ? labels : undefined;
	// n8n evaluates texts that begin with this.
	if (text.startsWith('=') || NOT_FOR_PEOPLE.includes(text)) return undefined;
	if (isThrown(node) || hasWords(text)) return messages;
	return text.includes(HOLE) ? joints : undefined;
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => HOLE + literal.text).join('');
}

/** At least two words, one of them of two letters or more. */
function hasWords(text: string): boolean {
	return /\p{L}{2,}/u.test(text) && /\s/.test(text.trim());
}

function isThrown({ parent }: ts.Node): boolean {
	return ts.isNewExpression(parent) && /Error$/.test(parent.expression.getText());
}

function propertyNameOf({ parent }: ts.Node): string | undefined {
	return ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent) ? parent.name.getText() : undefined;
}

/** The text of a notice in a form counts as a message. */
function isOfForm(node: ts.Node): boolean {
	const { parent } = node;
	if (!FORM_TEXTS.includes(propertyNameOf(node) ?? '')) return false;
	if (!ts.isObjectLiteralExpression(parent.parent)) return true;
	const siblings = parent.parent.properties.map((property) => property.getText());
	return siblings.some((text) => /^(displayName|name)\b/.test(text)) && !siblings.includes("type: 'notice'");
}

/** Takes messages apart into the texts that they are made of. */
export class Derivation {
	/** The texts that at least one message contains. */
	readonly used = new Set<string>();

	private readonly longestFirst: Array<{ text: string; form: string }>;

	constructor(texts: string[]) {
		this.longestFirst = [...new Set(texts)]
			.map((text) => ({ text, form: simplified(text) }))
			.filter(({ form }) => form !== HOLE)
			.sort((a, b) => b.form.length - a.form.length);
	}

	/** Whether the message consists of the texts and of nothing else. */
	explains(message: string): boolean {
		const parts = this.partsOf(simplified(message), new Set());
		for (const part of parts ?? []) this.used.add(part);
		return parts !== undefined;
	}

	/** Long texts are tried first: a short one may be part of a message by chance. */
	private partsOf(message: string, inVain: Set<string>): string[] | undefined {
		if (message === HOLE) return [];
		if (inVain.has(message)) return undefined;
		inVain.add(message);
		for (const { text, form } of this.longestFirst) {
			if (!message.includes(form)) continue;
			const others = this.partsOf(simplified(message.replace(form, HOLE)), inVain);
			if (others) return [text, ...others];
		}
		return undefined;
	}
}

/** The value for a placeholder may be empty, and may begin or end with a space. */
function simplified(text: string): string {
	return text.trim().replace(/\s*(…\s*)+/g, HOLE);
}
