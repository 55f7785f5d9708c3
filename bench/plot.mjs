import { CONTENDER_NAMES, formatCount, SIZES } from './wording.mjs';

const [WIDTH, HEIGHT] = [920, 470];
const FRAME = { left: 64, right: 550, top: 48, bottom: 404 };
const SECONDS = [0.1, 1, 10, 100];
const LEAST_SECONDS = 0.04;
const LATENCY_MS = 50;
const LABEL_GAP = 19;

const LINES = [
	{ name: 'http100', color: '#e5534b' },
	{ name: 'http1000', color: '#e5534b', dash: '7 4' },
	{ name: 'node5', color: '#2f81f7', isBold: true },
	{ name: 'node5', isCapped: true, color: '#2f81f7', dash: '7 4' },
	{ name: 'node20', isCapped: true, color: '#2f81f7', dash: '2 4' },
	{ name: 'wire5', color: '#8b949e', dash: '2 4' },
];

/** Time by number of clients on logarithmic scales, readable on light and dark pages. */
export function drawPlot(times) {
	const lines = LINES.map((line) => ({ ...line, points: pointsOf(times, line) })).filter(
		({ points }) => points.length > 0,
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Time to list clients against their number">
<style>
text { font: 14px system-ui, sans-serif; fill: #57606a }
.grid { stroke: #8b949e; stroke-opacity: .3 }
polyline { fill: none; stroke-width: 2 }
.bold { stroke-width: 3.5 }
.name.bold { font-weight: 600 }
@media (prefers-color-scheme: dark) { text { fill: #adbac7 } }
</style>
<text x="${FRAME.left}" y="24">Seconds to list all clients in n8n, service with ${LATENCY_MS} ms latency</text>
${SECONDS.map(drawSecondsAxis).join('\n')}
${SIZES.map(drawSizeAxis).join('\n')}
${lines.map(drawLine).join('\n')}
${placeLabels(lines).map(drawLabel).join('\n')}
</svg>
`;
}

function pointsOf(times, { name, isCapped = false }) {
	return SIZES.flatMap((clients) => {
		const tookMs = times.of({ clients, latencyMs: LATENCY_MS, isCapped, name });
		return tookMs === undefined ? [] : [{ x: xOf(clients), y: yOf(tookMs / 1000) }];
	});
}

function xOf(clients) {
	return scale(clients, SIZES[0], SIZES.at(-1), FRAME.left, FRAME.right);
}

function yOf(seconds) {
	return scale(seconds, LEAST_SECONDS, SECONDS.at(-1), FRAME.bottom, FRAME.top);
}

function scale(value, low, high, from, to) {
	return Math.round((from + (Math.log(value / low) / Math.log(high / low)) * (to - from)) * 10) / 10;
}

function drawSecondsAxis(seconds) {
	const y = yOf(seconds);
	return `<path class="grid" d="M${FRAME.left} ${y}H${FRAME.right}"/><text x="${FRAME.left - 10}" y="${y + 5}" text-anchor="end">${seconds}</text>`;
}

function drawSizeAxis(clients) {
	const x = xOf(clients);
	return `<path class="grid" d="M${x} ${FRAME.top}V${FRAME.bottom}"/><text x="${x}" y="${FRAME.bottom + 26}" text-anchor="middle">${formatCount(clients)} clients</text>`;
}

function drawLine({ points, color, dash, isBold }) {
	const look = `stroke="${color}"${dash ? ` stroke-dasharray="${dash}"` : ''}${isBold ? ' class="bold"' : ''}`;
	return `<polyline ${look} points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}"/>`;
}

/** Labels at the ends of the lines, from top to bottom without overlap. */
function placeLabels(lines) {
	let lowest = -Infinity;
	return lines
		.map((line) => ({ ...line, end: line.points.at(-1) }))
		.sort((a, b) => a.end.y - b.end.y)
		.map((line) => ({ ...line, labelY: (lowest = Math.max(line.end.y, lowest + LABEL_GAP)) }));
}

function drawLabel({ name, isCapped, color, isBold, end, labelY }) {
	const text = `${CONTENDER_NAMES[name]}${isCapped ? ', pages of 100' : ''}`;
	const x = FRAME.right + 26;
	return `<path stroke="${color}" d="M${end.x + 4} ${end.y}L${x - 6} ${labelY}"/><text class="name${isBold ? ' bold' : ''}" x="${x}" y="${labelY + 5}">${text}</text>`;
}
