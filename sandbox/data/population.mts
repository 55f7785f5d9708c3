import { CLIENT_TYPES, type Client } from './client.mts';
import { createRecentTimeline, createSteadyTimeline, type RecentYear } from './timeline.mts';
import {
	CJK_NAMES,
	COMPANY_FORMS,
	COMPANY_MAILBOXES,
	COMPANY_NAMES,
	FIRST_NAMES,
	GROUP_NAMES,
	LAST_NAMES,
	MAIL_DOMAINS,
} from './names.mts';
import { formatUuid, mix, scramble, unscramble } from './randomness.mts';
import { formatMicros } from './timestamp.mts';

/** Every field is a function of the client's index, so that a million clients take no time to start. */
export type Population = ReturnType<typeof createPopulation>;

const FARTHEST_MAIL_OWNER = 5;

/** Each trait is drawn on its own, so that no two depend on each other. */
const TRAIT = {
	type: 0,
	status: 1,
	activity: 2,
	group: 3,
	groupAgain: 4,
	first: 5,
	last: 6,
	cjk: 7,
	form: 8,
	domain: 9,
	mailCase: 10,
	mailShared: 11,
	mailOwner: 12,
	instant: 13,
	import: 14,
	heldBack: 15,
	order: 16,
	hidden: 17,
} as const;

export function createPopulation(seed: number, year?: RecentYear) {
	// 31 bits stay integers in the engine, whose remainder is many times as fast as that of doubles.
	const draw = (index: number, trait: number) => mix(seed, index, trait) >>> 1;
	const pick = <T,>(from: readonly T[], index: number, trait: number): T => from[draw(index, trait) % from.length];

	const groupTokens = GROUP_NAMES.map((_, group) => formatUuid(seed, group));

	const clientType = (index: number) => CLIENT_TYPES[draw(index, TRAIT.type) % 10 < 6 ? 0 : 1];
	// The smaller of two draws makes the first groups large and the last ones small.
	const group = (index: number) => {
		const first = draw(index, TRAIT.group) % GROUP_NAMES.length;
		const second = draw(index, TRAIT.groupAgain) % GROUP_NAMES.length;
		return first < second ? first : second;
	};

	function name(index: number) {
		if (clientType(index) === 'company') {
			const [displayed, domain] = pick(COMPANY_NAMES, index, TRAIT.first);
			const mailbox = pick(COMPANY_MAILBOXES, index, TRAIT.last);
			return {
				displayed: `${displayed} ${pick(COMPANY_FORMS, index, TRAIT.form)}`,
				mailbox,
				domain: `${domain}.example`,
			};
		}
		const domain = pick(MAIL_DOMAINS, index, TRAIT.domain);
		if (draw(index, TRAIT.cjk) % 25 === 0) {
			const [displayed, mailbox] = pick(CJK_NAMES, index, TRAIT.first);
			return { displayed, mailbox, domain };
		}
		const [first, firstMail] = pick(FIRST_NAMES, index, TRAIT.first);
		const [last, lastMail] = pick(LAST_NAMES, index, TRAIT.last);
		return { displayed: `${first} ${last}`, mailbox: `${firstMail}.${lastMail}`, domain };
	}

	function mailOwner(index: number) {
		const isShared = index > FARTHEST_MAIL_OWNER && draw(index, TRAIT.mailShared) % 12 === 0;
		return isShared ? index - 1 - (draw(index, TRAIT.mailOwner) % FARTHEST_MAIL_OWNER) : index;
	}

	function ownEmail(index: number) {
		const { mailbox, domain } = name(index);
		const email = `${mailbox}.${index.toString(36)}@${domain}`;
		return draw(index, TRAIT.mailCase) % 40 === 0 ? email[0].toUpperCase() + email.slice(1) : email;
	}

	const email = (index: number) => ownEmail(mailOwner(index));

	// An address contains the index of its owner, so a search compares numbers and builds hardly any text.
	function matchEmail(wanted: string, spell: (email: string) => string) {
		const owner = Number.parseInt(/\.([0-9a-z]+)@/i.exec(wanted)?.[1] ?? '', 36);
		const isOwned = Number.isSafeInteger(owner) && spell(ownEmail(owner)) === spell(wanted);
		return (index: number) => isOwned && mailOwner(index) === owner;
	}

	const draws = {
		import: (batch: number) => draw(batch, TRAIT.import),
		instant: (slot: number) => draw(slot, TRAIT.instant),
		status: (index: number) => draw(index, TRAIT.status),
	};
	const { createdMicros, requestStatus } = year ? createRecentTimeline(draws, year) : createSteadyTimeline(draws);

	function generate(index: number): Client {
		const groupIndex = group(index);
		return {
			reference_id: formatReference(scramble(index, seed)),
			email: email(index),
			client_name: name(index).displayed,
			client_type: clientType(index),
			group_name: GROUP_NAMES[groupIndex],
			group_token: groupTokens[groupIndex],
			request_status: requestStatus(index),
			client_status: draw(index, TRAIT.activity) % 100 < 85 ? 'active' : 'inactive',
			created_at: formatMicros(createdMicros(index)),
		};
	}

	return {
		generate,
		clientType,
		requestStatus,
		groupName: (index: number) => GROUP_NAMES[group(index)],
		clientName: (index: number) => name(index).displayed,
		email,
		matchEmail,
		createdMicros,
		isHeldBack: (index: number) => draw(index, TRAIT.heldBack) % 9 === 0,
		referenceId: (index: number) => formatReference(scramble(index, seed)),
		indexOf: (referenceId: string) => {
			const digits = /^ONB-([0-9A-F]{8})$/.exec(referenceId)?.[1];
			return digits === undefined ? undefined : unscramble(Number.parseInt(digits, 16), seed);
		},
		isHidden: (index: number) => draw(index, TRAIT.hidden) % 3 === 0,
		arbitraryRank: (index: number) => draw(index, TRAIT.order),
	};
}

function formatReference(value: number) {
	return `ONB-${value.toString(16).toUpperCase().padStart(8, '0')}`;
}
