import { writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';
import { UNCOVERED } from './browser.mts';

const SIGNATURE_BYTES = 8;

interface Chunk {
	type: string;
	data: Buffer;
}

interface Frame {
	chunks: Chunk[];
	ms: number;
}

/** Pictures of pages, one after the other, as an animated PNG: browsers and GitHub play it, anything else shows the first. */
export class Film {
	readonly #frames: Frame[] = [];

	constructor(private readonly file: string) {}

	/** Adds a picture with this duration and a caption. */
	async add(page: Page, caption: string, ms: number): Promise<void> {
		await page.evaluate(showCaption, caption);
		this.#frames.push({ chunks: readChunks(await page.screenshot({ style: UNCOVERED })), ms });
		await page.evaluate(showCaption, '');
	}

	save(): void {
		const [{ chunks: first }] = this.#frames;
		const header = first.find(({ type }) => type === 'IHDR') as Chunk;
		let sequence = 0;
		const parts = this.#frames.flatMap(({ chunks, ms }, index) => {
			if (!chunks[0].data.equals(header.data)) throw new Error('The pictures of a film must have one size and depth.');
			const control = { type: 'fcTL', data: describeFrame(sequence++, header.data, ms) };
			const pixels = chunks.filter(({ type }) => type === 'IDAT');
			if (index === 0) return [control, ...pixels];
			return [
				control,
				...pixels.map(({ data }) => ({ type: 'fdAT', data: Buffer.concat([number(sequence++), data]) })),
			];
		});
		const length = { type: 'acTL', data: Buffer.concat([number(this.#frames.length), number(0)]) };
		const end = { type: 'IEND', data: Buffer.alloc(0) };
		const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
		writeFileSync(this.file, Buffer.concat([signature, ...[header, length, ...parts, end].map(writeChunk)]));
	}
}

/** Runs in the page. */
function showCaption(text: string): void {
	const known = document.querySelector<HTMLElement>('#film-caption');
	const caption = known ?? document.body.appendChild(document.createElement('div'));
	caption.id = 'film-caption';
	caption.textContent = text;
	caption.hidden = text === '';
	Object.assign(caption.style, {
		position: 'fixed',
		inset: 'auto 0 0 0',
		padding: '18px 28px',
		background: '#1a1d2e',
		color: '#ffffff',
		font: '600 24px system-ui, "Liberation Sans", sans-serif',
		display: text === '' ? 'none' : 'block',
		zIndex: '100000',
	});
}

function readChunks(png: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = SIGNATURE_BYTES; at < png.length;) {
		const bytes = png.readUInt32BE(at);
		chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + bytes) });
		at += 12 + bytes;
	}
	return chunks;
}

function writeChunk({ type, data }: Chunk): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	return Buffer.concat([number(data.length), named, number(crc32(named))]);
}

/** The whole picture, in place of the one before. */
function describeFrame(sequence: number, header: Buffer, ms: number): Buffer {
	const size = header.subarray(0, 8);
	const delay = Buffer.from([ms >> 8, ms & 255, 1000 >> 8, 1000 & 255]);
	return Buffer.concat([number(sequence), size, number(0), number(0), delay, Buffer.from([0, 0])]);
}

function number(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
}
