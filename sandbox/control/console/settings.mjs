import { $, capitalize, create, createLabelled, inWords, showBadge } from './page.mjs';
import { act, shared } from './sandbox.mjs';

const change = (what, body) => act('settings', () => what, { method: 'PATCH', address: '/behavior', body });

function createOptions({ behaviors, violations }) {
	const [usual] = behaviors;
	const createOption = (value) => create('option', { value }, value === usual ? `${value} (default)` : value);
	const options = behaviors.map(createOption);
	if (violations.length === 0) return options;
	return [...options, create('optgroup', { label: 'Contradicts the specification' }, ...violations.map(createOption))];
}

function createSetting({ name, help, ...values }) {
	const choose = ({ target }) => change(`${inWords(name)}: ${target.value}`, { [name]: target.value });
	return create(
		'div',
		{ className: 'card', 'data-name': name },
		createLabelled(
			inWords(name),
			create('select', { onchange: choose, 'data-setting': name }, ...createOptions(values)),
		),
		create('small', {}, `${capitalize(help)}.`),
	);
}

export function connectSettings() {
	$('settings').append(...shared.options.settings.map(createSetting));
	$('settings-reset').onclick = () => change('Everything is at its default again', shared.state.default_behavior);
}

export function showSettings({ behavior, default_behavior: defaults }) {
	const changed = Object.keys(behavior).filter((name) => behavior[name] !== defaults[name]);
	for (const card of $('settings').children) {
		const { name } = card.dataset;
		card.classList.toggle('changed', changed.includes(name));
		card.querySelector('select').value = behavior[name];
	}
	const names = changed.map(inWords).join(', ');
	$('settings-active').textContent = changed.length === 0 ? 'Everything is at its default' : `Changed: ${names}`;
	$('settings-reset').disabled = changed.length === 0;
	showBadge('settings', changed.length);
}
