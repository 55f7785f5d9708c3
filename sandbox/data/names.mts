/** A name as displayed, and as it appears in an email address. */
type Name = readonly [displayed: string, mailbox: string];

export const FIRST_NAMES: readonly Name[] = [
	['Amelia', 'amelia'],
	['Zoë', 'zoe'],
	['José', 'jose'],
	['Priya', 'priya'],
	['Søren', 'soren'],
	['Liam', 'liam'],
	['Chloé', 'chloe'],
	['Mateusz', 'mateusz'],
	['Aisha', 'aisha'],
	['Noah', 'noah'],
	['Ingrid', 'ingrid'],
	['Kofi', 'kofi'],
	['Tomás', 'tomas'],
	['Anne-Sophie', 'anne-sophie'],
	['Hana', 'hana'],
	['Oliver', 'oliver'],
	['Fatima', 'fatima'],
];

export const LAST_NAMES: readonly Name[] = [
	['Müller', 'mueller'],
	["O'Brien", 'obrien'],
	['García', 'garcia'],
	['Smith', 'smith'],
	['Nguyễn', 'nguyen'],
	["D'Angelo", 'dangelo'],
	['Kowalska', 'kowalska'],
	['Okafor', 'okafor'],
	['Lindström', 'lindstroem'],
	['Silva', 'silva'],
	['van der Berg', 'vanderberg'],
	['Patel', 'patel'],
	['Dvořák', 'dvorak'],
	['Johnson', 'johnson'],
	['Yıldız', 'yildiz'],
	['Cohen', 'cohen'],
];

export const CJK_NAMES: readonly Name[] = [
	['王小明', 'wang.xiaoming'],
	['佐藤 花子', 'sato.hanako'],
	['김민준', 'kim.minjun'],
	['李 娜', 'li.na'],
];

export const COMPANY_NAMES: readonly Name[] = [
	['Northwind', 'northwind'],
	['Blue Harbour', 'blue-harbour'],
	['Café Lumière', 'cafe-lumiere'],
	["Miller's Mill", 'millers-mill'],
	['Gräf & Söhne', 'graef-soehne'],
	['Sakura 商事', 'sakura'],
	['Alta Vía', 'alta-via'],
	['Green "Leaf"', 'green-leaf'],
	['Summit', 'summit'],
	['Ostrava Steel', 'ostrava-steel'],
];

export const COMPANY_FORMS = ['Ltd', 'GmbH', 'Inc.', 'S.A.', 'B.V.', 'Pty Ltd', 'ApS'];
export const COMPANY_MAILBOXES = ['info', 'office', 'accounts', 'hello'];
export const MAIL_DOMAINS = ['example.com', 'example.org', 'example.net', 'mail.example'];

/** "Referrals" is there twice on purpose: the two groups differ only in their token. */
export const GROUP_NAMES = [
	'Retail Customers',
	'Wholesale',
	"O'Neil & Sons",
	'Referrals',
	'Private Clients',
	'Partners EMEA',
	'Retail',
	'Référencés Québec',
	'Trust Accounts',
	'Referrals',
	'Pilot 2024',
	'Startups',
];
