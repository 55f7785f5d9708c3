import { capitalize, count, create } from './page.mjs';
import { shared } from './sandbox.mjs';

const DAY_MINUTES = 24 * 60;

function showTime(text) {
	const time = new Date(text);
	const minutes = Math.floor((Date.now() - time.getTime()) / 60_000);
	if (minutes === 0) return 'just now';
	if (minutes > 0 && minutes < 60) return `${count(minutes, 'minute')} ago`;
	if (minutes > 0 && minutes < DAY_MINUTES) return `${count(Math.floor(minutes / 60), 'hour')} ago`;
	return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

function createStatusChoice({ client_name: name, request_status }, change) {
	const status = request_status.toLowerCase();
	const choices = [...new Set([...shared.options.request_status, status])];
	const choose = async ({ target }) => {
		target.dataset.status = target.value;
		if (!(await change(target.value))) target.value = target.dataset.status = status;
	};
	return create(
		'select',
		{
			className: 'status',
			ariaLabel: `Status of ${name}`,
			onchange: choose,
			'data-status': status,
			'data-part': 'status',
		},
		...choices.map((value) => create('option', { value, selected: value === status }, capitalize(value))),
	);
}

/** `select`, `setStatus`, `edit` and `remove` are what a person may do to it. */
export function createRow(client, { isSelected, isFresh, select, setStatus, edit, remove }) {
	const { reference_id: id, client_name: name, email, group_name: group, created_at: created } = client;
	const className = [isSelected && 'selected', isFresh && 'fresh'].filter(Boolean).join(' ');
	const button = (label, click) =>
		create('button', { type: 'button', ariaLabel: `${label} ${name}`, onclick: click, 'data-part': label }, label);
	const check = create('input', {
		type: 'checkbox',
		ariaLabel: `Select ${name}`,
		checked: isSelected,
		onchange: ({ target }) => select(target.checked),
		'data-part': 'check',
	});
	return create(
		'tr',
		{ className, 'data-id': id },
		create('td', { className: 'check' }, check),
		create(
			'td',
			{ className: 'who' },
			create('strong', { title: name }, name),
			create('small', { title: `${email} · ${id}` }, email),
		),
		create('td', {}, createStatusChoice(client, setStatus)),
		create('td', { className: 'type' }, capitalize(client.client_type)),
		create('td', { className: 'group-cell' }, create('span', { className: 'group', title: group }, group)),
		create('td', {}, create('time', { dateTime: created, title: created }, showTime(created))),
		create('td', { className: 'row-actions' }, button('Edit', edit), button('Remove', remove)),
	);
}

export function createNobody() {
	const text = 'Nobody matches. Try another search or fewer filters.';
	return create('tr', {}, create('td', { className: 'nobody', colSpan: 7 }, text));
}

/** Draws the rows anew. Who works in one with the keyboard stays there, or in the one that took its place. */
export function replaceRows(body, rows) {
	const focused = document.activeElement;
	const before = [...body.children].findIndex((row) => row.contains(focused));
	const { id } = body.children[before]?.dataset ?? {};
	body.replaceChildren(...rows);
	if (before === -1) return;
	const row = rows.find((candidate) => candidate.dataset.id === id) ?? rows[Math.min(before, rows.length - 1)];
	row.querySelector(`[data-part="${focused.dataset.part}"]`)?.focus();
}
