// Required by an n8n before anything else: its clock is ahead by as many milliseconds as the file of E2E_CLOCK_FILE says.
const { readFileSync } = require('node:fs');

const RealDate = Date;
const realNow = Date.now;
let offsetMs = 0;
let readAtMs = -Infinity;

function now() {
	if (performance.now() - readAtMs > 100) {
		readAtMs = performance.now();
		offsetMs = Number(readFileSync(process.env.E2E_CLOCK_FILE, 'utf8')) || 0;
	}
	return realNow() + offsetMs;
}

globalThis.Date = new Proxy(RealDate, {
	construct: (target, words, newTarget) => Reflect.construct(target, words.length > 0 ? words : [now()], newTarget),
	apply: () => new RealDate(now()).toString(),
	get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
