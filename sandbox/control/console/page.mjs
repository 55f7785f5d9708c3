/** @param {string} id */
export const $ = (id) => document.getElementById(id);

export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** pageNumber → Page number */
export const inWords = (name) =>
	capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' '));

export const count = (number, one, many = `${one}s`) =>
	`${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;

/** Values go into text and attributes, never into markup. */
export function create(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
		else if (name in element) element[name] = value;
		else element.setAttribute(name, value);
	}
	element.append(...children);
	return element;
}

let labels = 0;

/** The control is beside its label. Inside, every option of a list would become part of the name. */
export function createLabeled(name, control) {
	control.id = `labeled-${++labels}`;
	return create('div', { className: 'field' }, create('label', { htmlFor: control.id }, name), control);
}

/** `all` is the option for no choice. */
export function fillChoice(id, choices, all) {
	const none = all ? [create('option', { value: '' }, all)] : [];
	$(id).replaceChildren(...none, ...choices.map(([value, label]) => create('option', { value }, label)));
}

export function showBadge(tab, number) {
	const badge = $(`tab-${tab}`).querySelector('.badge');
	badge.hidden = number === 0;
	badge.textContent = number;
}

const COPIED_MS = 1_500;

/** The element shows that its text was copied. A browser that refuses gets the text selected, to copy by hand. */
export async function copyText(text, element, source = element) {
	const before = element.textContent;
	try {
		await navigator.clipboard.writeText(text);
		element.textContent = $('announce').textContent = 'Copied';
	} catch {
		getSelection().selectAllChildren(source);
		$('announce').textContent = 'Press Ctrl+C (Cmd+C on a Mac) to copy';
		return;
	}
	element.disabled = true;
	setTimeout(() => Object.assign(element, { textContent: before, disabled: false }), COPIED_MS);
}

/** The browser saves a choice across reloads, unless it is set to block that. */
export function saveChoice(name, value) {
	try {
		localStorage.setItem(name, value);
	} catch {
		// The choice holds until the page is reloaded.
	}
}

/** The saved choice, or the first one. */
export function readChoice(name, choices) {
	try {
		const saved = localStorage.getItem(name);
		if (choices.includes(saved)) return saved;
	} catch {
		// Blocked, so nothing was saved.
	}
	return choices[0];
}

/** One tab stop for a row of choices, arrow keys within. */
export function moveByArrows(row, choose) {
	row.addEventListener('keydown', ({ key }) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
		if (!step) return;
		const choices = [...row.children];
		const next = choices[(choices.indexOf(document.activeElement) + step + choices.length) % choices.length];
		next.focus();
		choose(next);
	});
}
