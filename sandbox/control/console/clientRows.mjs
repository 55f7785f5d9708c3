import { capitalize, copyText, count, create } from './page.mjs';
import { shared } from './sandbox.mjs';

const DAY_MINUTES = 24 * 60;

function showTime(text) {
	const time = new Date(text);
	const minutes = Math.floor((Date.now() - time.getTime()) / 60_000);
	if (minutes === 0) return 'just now';
	if (minutes > 0 && minutes < 60) return `${count(minutes, 'minute')} ago`;
	if (minutes > 0 && minutes < DAY_MINUTES) return `${count(Math.floor(minutes / 60), 'hour')} ago`;
	return time.toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
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

function createReference(id) {
	const copy = ({ currentTarget }) => copyText(id, currentTarget);
	return create(
		'button',
		{ type: 'button', className: 'reference', title: 'Copy the reference ID', onclick: copy, 'data-part': 'reference' },
		id,
	);
}

/** `select`, `setStatus`, `edit` and `remove` are the actions of a row. */
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
			create('small', { title: email }, email),
		),
		create('td', { className: 'reference-cell' }, createReference(id)),
		create('td', { className: 'status-cell' }, createStatusChoice(client, setStatus)),
		create(
			'td',
			{ className: 'group' },
			create('span', {}, group),
			create('small', {}, capitalize(client.client_type)),
		),
		create('td', { className: 'created' }, create('time', { dateTime: created, title: created }, showTime(created))),
		create('td', { className: 'row-actions' }, button('Edit', edit), button('Remove', remove)),
	);
}

/** "5 minutes ago" is true for a minute. */
export function refreshTimes(body) {
	for (const time of body.querySelectorAll('time')) time.textContent = showTime(time.dateTime);
}

export function createEmptyRow(isFiltered) {
	const text = isFiltered
		? 'No client matches. Clear the search and filters to see all clients.'
		: 'No clients yet. Add one.';
	return create('tr', {}, create('td', { className: 'empty', colSpan: 7 }, text));
}

/** The keyboard focus stays in its row, or moves to the one that took its place. */
export function replaceRows(body, rows) {
	const focused = document.activeElement;
	const before = [...body.children].findIndex((row) => row.contains(focused));
	const { id } = body.children[before]?.dataset ?? {};
	body.replaceChildren(...rows);
	if (before === -1) return;
	const row = rows.find((candidate) => candidate.dataset.id === id) ?? rows[Math.min(before, rows.length - 1)];
	row.querySelector(`[data-part="${focused.dataset.part}"]`)?.focus();
}
