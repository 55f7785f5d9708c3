import { $, count } from './page.mjs';
import { act, addressOf } from './sandbox.mjs';

export function showLiveliness(perMinute) {
	if (document.activeElement !== $('lively')) $('lively').value = perMinute;
	$('lively-says').textContent = perMinute === 0 ? 'Off' : `${perMinute} a minute`;
}

async function setLiveliness(perMinute) {
	const what = () =>
		perMinute === 0 ? 'Automatic status changes stopped' : `${count(perMinute, 'status change')} a minute`;
	await act('clients', what, { method: 'PATCH', address: addressOf('/lively'), body: { per_minute: perMinute } });
}

export function connectLiveliness() {
	$('lively').oninput = () => showLiveliness(Number($('lively').value));
	$('lively').onchange = () => setLiveliness(Number($('lively').value));
}
