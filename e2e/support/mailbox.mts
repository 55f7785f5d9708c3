import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface Mailbox {
	/** The data of an SMTP credential for it. */
	credential: Record<string, unknown>;
	/** All emails so far, with headers and body as they were sent. */
	letters: string[];
	/** Refuses every email that contains this text. */
	refused?: string;
	close(): Promise<void>;
}

/** A mail server that accepts every email and delivers none. */
export async function startMailbox(): Promise<Mailbox> {
	const letters: string[] = [];
	const server = createServer((socket) => void receive(socket, mailbox));
	// A test that fails may leave it open.
	server.listen(0, '127.0.0.1').unref();
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const mailbox: Mailbox = {
		credential: { user: '', password: '', host: '127.0.0.1', port, secure: false, disableStartTls: true },
		letters,
		close: async () => void (await new Promise((resolve) => server.close(resolve))),
	};
	return mailbox;
}

/** The part of RFC 5321 that sending an email needs. */
async function receive(socket: Socket, mailbox: Mailbox): Promise<void> {
	const reply = (line: string) => socket.write(`${line}\r\n`);
	socket.on('error', () => {});
	reply('220 mailbox');
	let letter: string[] | undefined;
	for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
		if (letter && line !== '.') {
			letter.push(line.replace(/^\./, ''));
		} else if (letter) {
			const text = letter.join('\n');
			const isRefused = mailbox.refused !== undefined && text.includes(mailbox.refused);
			if (!isRefused) mailbox.letters.push(text);
			letter = undefined;
			reply(isRefused ? '451 try again later' : '250 taken');
		} else if (/^DATA$/i.test(line)) {
			letter = [];
			reply('354 go on');
		} else if (/^QUIT$/i.test(line)) {
			reply('221 bye');
			socket.end();
		} else {
			reply('250 fine');
		}
	}
}
