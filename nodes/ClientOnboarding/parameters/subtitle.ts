import type { INodePropertyOptions } from 'n8n-workflow';

/** What fits under a node. */
const MOST_LETTERS = 45;

/** Values that are expressions are left out: they differ from item to item. */
const IS_FIXED = '(value) => value && !String(value).includes("{{")';

/** Statuses and types as the dropdowns show them. */
const capitalized = (values: string) =>
	`[${values}].flat().filter(${IS_FIXED}).map((value) => String(value)[0].toUpperCase() + String(value).slice(1))`;

const days = (value: string) => `${value} + (Number(${value}) === 1 ? " day" : " days")`;

/** What the filters let through, in a few words. */
const FILTERED = `[
	${capitalized('$parameter["filters"]?.requestStatus, $parameter["filters"]?.clientType')},
	$parameter["filters"]?.groupName?.value,
	$parameter["filters"]?.clientEmail,
	$parameter["filters"]?.clientStatus && "client status " + $parameter["filters"].clientStatus,
	$parameter["filters"]?.createdWithinDays && "created within " + ${days('$parameter["filters"].createdWithinDays')},
	$parameter["filters"]?.olderThanDays && "created more than " + ${days('$parameter["filters"].olderThanDays')} + " ago",
].flat().filter(${IS_FIXED})`;

const SORTED = '{ newestFirst: "newest first", oldestFirst: "oldest first", name: "by name", status: "by status" }';

const FOUND =
	'$parameter["operation"] === "find" && ($parameter["findBy"] === "email" ? "by email" : "by reference ID")';

/** An expression for the line under the node: the operation in the words of its dropdown, and what it is about. */
export function nodeSubtitle(operations: INodePropertyOptions[]): string {
	const names = namesOf(operations);
	const about = `[...${FILTERED}, (${SORTED})[$parameter["options"]?.sort], ${FOUND}].filter(Boolean).join(", ")`;
	return shortened(`[(${names})[$parameter["operation"]], ${about}].filter(Boolean).join(": ")`);
}

/** An expression for the line under the trigger: what is emitted, in a few words for each event. */
export function triggerSubtitle(): string {
	const statuses = (none: string) => `(${capitalized('$parameter["statusBecomes"]')}.join(" or ") || "${none}")`;
	const again = `($parameter["repeatAfterDays"] ? ", again every " + ${days('$parameter["repeatAfterDays"]')} : "")`;
	const words = `{
		clientCreated: "New Client",
		statusReached: "Reaches " + ${statuses('…')},
		requestStatusChanged: "Changes to " + ${statuses('any status')},
		clientStalled: "Stalled for " + ${days('$parameter["stalledAfterDays"]')} + ${again},
		clientUpdated: "Updated",
		clientRemoved: "Removed",
	}`;
	return shortened(`[$parameter["triggerOn"]].flat().map((value) => (${words})[value]).join(", ")`);
}

function namesOf(options: INodePropertyOptions[]): string {
	return JSON.stringify(Object.fromEntries(options.map(({ name, value }) => [value, name])));
}

function shortened(text: string): string {
	const cut = `text.length > ${MOST_LETTERS} ? text.slice(0, ${MOST_LETTERS - 1}) + "…" : text`;
	return `={{ [${text}].map((text) => ${cut})[0] }}`.replace(/\s+/g, ' ');
}
