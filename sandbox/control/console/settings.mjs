import { $, capitalize, count, create, createLabeled, inWords, showBadge } from './page.mjs';
import { act, shared } from './sandbox.mjs';

/** Folded away for testers. The group `common` is always in view. */
const TESTER_GROUPS = {
	filters: 'Filters',
	tokens: 'Access tokens',
	pages: 'Page parameters and sizes',
	ends: 'Totals and empty pages',
};

/** Values that their name alone does not explain, by setting or for all of them. */
const WORDS = {
	beyondLast: { empty: 'Empty page', 'more-rows': 'Endless made-up clients' },
	emailFilter: { contains: 'Contains, in any case', 'group-name': 'Compares with the group name' },
	emptyList: { page: 'Empty page' },
	expiresIn: { absent: 'No expires_in' },
	extras: { fields: 'Unknown fields', statuses: 'An unknown status' },
	groupFilter: { contains: 'Contains, in any case' },
	hiddenRows: { 'after-paging': 'A third of the clients' },
	order: {
		'created-ascending': 'Oldest first',
		'created-descending': 'Newest first',
		arbitrary: 'Arbitrary but stable',
	},
	overLimit: { empty: 'Empty page', hang: 'No response', capped: 'Reduced to the maximum' },
	pageLimitEcho: { right: 'Correct', asked: 'As requested', 'always-ten': 'Always 10' },
	pageParameter: { page_no: 'page_no', page: 'page' },
	pageSizes: { any: 'Any size', fixed: 'Always 25' },
	rateLimit: {
		seconds: 'Retry-After in seconds',
		date: 'Retry-After as a date',
		bare: 'No Retry-After',
		past: 'Retry-After in the past',
		reset: 'X-RateLimit-Reset',
	},
	severalFilters: { all: 'All must match', any: 'At least one must match', first: 'Only one is applied' },
	statusCase: { lower: 'Lowercase' },
	totals: { numbers: 'Correct', strings: 'As text', 'of-page': 'Of this page only' },
};
const SHARED_WORDS = {
	'bare-404': '404 with a web page',
	'data-null': 'data is null',
	'results-null': 'results is null',
	html: 'Web page (200)',
	redirect: 'Redirect to /login',
};

function describe(setting, value) {
	const words = WORDS[setting]?.[value] ?? SHARED_WORDS[value];
	if (words) return words;
	const [, manner, code] = /^(envelope|refused)-(\d+)$/.exec(value) ?? [];
	if (manner === 'envelope') return `HTTP 200 with status_code ${code}`;
	if (manner === 'refused') return `Refused (${code})`;
	return value === value.toUpperCase() ? value : inWords(value);
}

const change = (what, body) => act('settings', () => what, { method: 'PATCH', address: '/behavior', body });

function createOptions({ name, behaviors, violations }) {
	const [usual] = behaviors;
	const createOption = (value) =>
		create('option', { value }, value === usual ? `${describe(name, value)} (default)` : describe(name, value));
	const options = behaviors.map(createOption);
	if (violations.length === 0) return options;
	return [...options, create('optgroup', { label: 'Contradicts the specification' }, ...violations.map(createOption))];
}

function createSetting(setting) {
	const { name, label, help } = setting;
	const choose = ({ target }) => change(`${label}: ${describe(name, target.value)}`, { [name]: target.value });
	return create(
		'div',
		{ className: 'card' },
		createLabeled(label, create('select', { onchange: choose, 'data-setting': name }, ...createOptions(setting))),
		create('small', {}, `${capitalize(help)}.`),
	);
}

function createCards(group) {
	const settings = shared.options.settings.filter((setting) => setting.group === group);
	return create('div', { className: 'cards' }, ...settings.map(createSetting));
}

function createTesterGroup([group, title]) {
	const changed = create('span', { className: 'badge', hidden: true });
	return create('details', {}, create('summary', {}, `Advanced: ${title}`, changed), createCards(group));
}

export function connectSettings() {
	$('settings').append(createCards('common'), ...Object.entries(TESTER_GROUPS).map(createTesterGroup));
	$('settings-reset').onclick = () => change('All settings reset', shared.state.default_behavior);
}

export function showSettings({ behavior, default_behavior: defaults }) {
	const changed = shared.options.settings.filter(({ name }) => behavior[name] !== defaults[name]);
	for (const choice of $('settings').querySelectorAll('[data-setting]')) {
		const { setting } = choice.dataset;
		choice.value = behavior[setting];
		choice.closest('.card').classList.toggle('changed', behavior[setting] !== defaults[setting]);
	}
	for (const group of $('settings').querySelectorAll('details')) {
		const number = group.querySelectorAll('.changed').length;
		group.querySelector('.badge').hidden = number === 0;
		group.querySelector('.badge').textContent = `${number} changed`;
	}
	const labels = changed.map(({ label }) => label).join(', ');
	$('settings-active').textContent =
		changed.length === 0
			? 'All settings are at their defaults'
			: `${count(changed.length, 'setting')} changed: ${labels}`;
	$('settings-reset').disabled = changed.length === 0;
	showBadge('settings', changed.length);
}
