/** @param {string} id */
export const $ = (id) => document.getElementById(id);

export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** pageNumber → Page number */
export const inWords = (name) =>
	capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' '));

export const count = (number, one, many = `${one}s`) =>
	`${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;

/** What the service says goes into text and attributes, never into markup. */
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

/** A control under its name; not inside of it, or the name would hold every choice of a list. */
export function createLabelled(name, control) {
	control.id = `labelled-${++labels}`;
	return create('div', { className: 'field' }, create('label', { htmlFor: control.id }, name), control);
}

/** Fills a list to choose from; `all` is the choice of none. */
export function fillChoice(id, choices, all) {
	const none = all ? [create('option', { value: '' }, all)] : [];
	$(id).replaceChildren(...none, ...choices.map(([value, label]) => create('option', { value }, label)));
}

export function showBadge(tab, number) {
	const badge = $(`tab-${tab}`).querySelector('.badge');
	badge.hidden = number === 0;
	badge.textContent = number;
}

/** As people with a keyboard expect of a row of choices: one stop, arrows within. */
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
