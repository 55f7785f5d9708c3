import { $, capitalise, create, createLabelled, inWords, showBadge } from './page.mjs';
import { act, shared } from './sandbox.mjs';

const change = (what, body) => act('readings', () => what, { method: 'PATCH', address: '/dialect', body });

function createOptions({ behaviors, violations }) {
	const [usual] = behaviors;
	const createOption = (value) => create('option', { value }, value === usual ? `${value} (default)` : value);
	const options = behaviors.map(createOption);
	if (violations.length === 0) return options;
	return [...options, create('optgroup', { label: 'Contradicts the specification' }, ...violations.map(createOption))];
}

function createReading({ name, help, ...values }) {
	const choose = ({ target }) => change(`${inWords(name)}: ${target.value}`, { [name]: target.value });
	return create(
		'div',
		{ className: 'card', 'data-reading': name },
		createLabelled(inWords(name), create('select', { onchange: choose, 'data-axis': name }, ...createOptions(values))),
		create('small', {}, `${capitalise(help)}.`),
	);
}

export function connectReadings() {
	$('readings').append(...shared.options.readings.map(createReading));
	$('readings-reset').onclick = () => change('Everything is at its default again', shared.state.default_dialect);
}

export function showReadings({ dialect, default_dialect: defaults }) {
	const changed = Object.keys(dialect).filter((name) => dialect[name] !== defaults[name]);
	for (const card of $('readings').children) {
		const { reading } = card.dataset;
		card.classList.toggle('changed', changed.includes(reading));
		card.querySelector('select').value = dialect[reading];
	}
	const names = changed.map(inWords).join(', ');
	$('readings-active').textContent = changed.length === 0 ? 'Everything is at its default' : `Changed: ${names}`;
	$('readings-reset').disabled = changed.length === 0;
	showBadge('readings', changed.length);
}
