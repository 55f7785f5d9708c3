/** Seven bits a byte; the eighth says that more follow. */
export function writeNumber(bytes: number[], number: number): void {
	let rest = number;
	for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
	bytes.push(rest);
}

/** Reads such numbers from their text in base 64. */
export class NumberReader {
	private readonly bytes: Buffer;

	private position = 0;

	constructor(text: string) {
		this.bytes = Buffer.from(text, 'base64');
	}

	read(): number {
		let number = 0;
		let unit = 1;
		for (; this.bytes[this.position] > 127; unit *= 128) number += (this.bytes[this.position++] - 128) * unit;
		return number + this.bytes[this.position++] * unit;
	}
}
