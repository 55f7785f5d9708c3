import { CLIENT_TYPES, REQUEST_STATUSES, type Client } from '../../../sandbox/data/client.mts';
import { GROUP_NAMES } from '../../../sandbox/data/names.mts';
import { Random } from '../../support/random.mts';
import type { Case } from './cases.mts';

/** A record as it is sent: optional fields may be missing, and unknown ones may be there. */
export type Sent = Record<string, unknown>;

const ODD_NAMES = [
	'',
	' ',
	"Robert'); DROP TABLE clients;--",
	'"quoted" \\ back\\slash',
	'Zoë 🦄 王小明',
	'\u202eright to left',
	'new\nline\ttab',
	'<b>bold</b>',
	'n'.repeat(20_000),
	'={{ $json.secret }}',
	'null',
	'\u0000',
	'e\u0301',
];
const ODD_GROUPS = [
	'Group',
	'GROUP',
	'Straße',
	'STRASSE',
	"O'Neil & Söhne",
	'群組',
	'',
	'100% "real"',
	'a+b c/d?e=f&g#h',
];
const ODD_STATUSES = [...REQUEST_STATUSES, 'On Hold', 'archivé', 'Pending Review'];
const ODD_IDS = [
	'with space',
	'a/b?c=d&e#f',
	'"quoted"',
	"single'",
	'群-1',
	'same',
	'SAME',
	'__proto__',
	'constructor',
	'l'.repeat(500),
];
const FIRST_MS = Date.UTC(2025, 0, 1);

/** The clients of a case, or only their number if they are ordinary ones. */
export function makeClients({ clients, isOdd, seed }: Case): number | Client[] {
	return isOdd && clients <= 1_000
		? Array.from({ length: clients }, (_, index) => makeOdd(index, new Random(seed + index)))
		: clients;
}

function makeOdd(index: number, random: Random): Client {
	const mailbox = random.chance(0.3) ? random.one(['shared', 'Shared', "o'hara+tag", 'ünïcode']) : `client-${index}`;
	return {
		reference_id: ODD_IDS[index] ?? `ID ${index}`,
		email: `${mailbox}@example.com`,
		client_name: random.one(ODD_NAMES),
		client_type: random.chance(0.05) ? 'trust' : random.one(CLIENT_TYPES),
		group_name: random.one(random.chance(0.7) ? ODD_GROUPS : GROUP_NAMES),
		group_token: `token-${random.below(12)}`,
		request_status: random.one(ODD_STATUSES),
		client_status: 'active',
		// Many were created at the same moment.
		created_at: new Date(FIRST_MS + random.below(60) * 86_400_000).toISOString(),
	};
}

/** Some fields of some clients are missing, empty or new, except those that the service filters or sorts by. */
export function disguise(client: Client, { isOdd }: Case): Sent {
	if (!isOdd) return { ...client };
	const { client_name, client_status, ...rest } = client;
	switch ([...client.reference_id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 7) {
		case 1:
			return { ...rest, client_name: null };
		case 2:
			return { ...rest, client_name, client_status };
		case 3:
			return { ...client, group_token: undefined };
		case 4:
			return JSON.parse(
				JSON.stringify(client).replace('{', '{"__proto__":{"isAdmin":true},"constructor":"x",'),
			) as Sent;
		default:
			return { ...client };
	}
}
