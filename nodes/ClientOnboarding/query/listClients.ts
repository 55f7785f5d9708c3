import type { Client } from '../api/record';
import type { ListRead, Paging } from '../pagination/readList';
import { openList, readList } from '../pagination/readList';
import type { Source } from '../pagination/source';
import type { Filters, SentTextField } from './filters';
import { isFilteredHere, matcherFor, SENT_TEXT_FIELDS, TEXT_PARAMETERS, toQuery } from './filters';

interface ListOptions extends Paging {
	/** Infinity for all. */
	limit: number;
}

/** The clients that match every filter. The service's filters save requests; every row is checked here. */
export async function listClients(source: Source, filters: Filters, options: ListOptions): Promise<ListRead> {
	const { read, isSure } = await readFiltered(source, filters, options);
	if (isSure()) return read;
	const query = toQuery({ ...filters, texts: {} });
	return await readList(source, query, { ...options, matches: matcherFor(filters), isSearch: true });
}

/** What the service returns for the filters that it has. */
export interface FilteredRead {
	read: ListRead;
	/** Whether no other client matches. Later reads may show more about the service. */
	isSure: () => boolean;
}

/** `stopIfIgnored`: do not read on if the service plainly ignores the filter. */
export async function readFiltered(
	source: Source,
	filters: Filters,
	{ stopIfIgnored = false, ...options }: ListOptions & { stopIfIgnored?: boolean },
): Promise<FilteredRead> {
	const readOptions = { ...options, matches: matcherFor(filters), isSearch: isFilteredHere(filters) };
	const query = toQuery(filters);
	const textFilters = SENT_TEXT_FIELDS.filter((field) => TEXT_PARAMETERS[field] in query).map(
		(field) => new TextFilter(source, field, String(query[TEXT_PARAMETERS[field]])),
	);
	// With other filters beside it, the service may have applied any of them.
	const [onlyFilter] = Object.keys(query).length === 1 ? textFilters : [];
	const isIgnored = (rows: Client[]) => onlyFilter !== undefined && !rows.every((row) => onlyFilter.isMentionedIn(row));

	const list = await openList(source, query, readOptions);
	if (stopIfIgnored && isIgnored(list.firstClients)) return { read: NOTHING, isSure: () => false };
	const read = await list.read();
	if (read.clients.length > 0) {
		onlyFilter?.learnFrom(read.clients);
		return { read, isSure: () => true };
	}
	// The specification does not show how texts are compared: the service may compare case, or another field.
	return { read, isSure: () => isIgnored(read.returned) || textFilters.every((filter) => filter.isTrusted()) };
}

const NOTHING: ListRead = { clients: [], returned: [], total: 0, completeness: 'complete' };

/** What the text filters of an address have shown; kept in the process. */
const trusted = new Set<string>();

/** A text filter as it was sent. */
class TextFilter {
	private readonly id: string;

	constructor(
		source: Source,
		private readonly field: SentTextField,
		private readonly text: string,
	) {
		this.id = `${source.client.addressId}:${field}`;
	}

	/** A match in another spelling shows that case is ignored; one in the same spelling does not. */
	learnFrom(matching: Client[]): void {
		if (matching.some((client) => client[this.field] !== this.text)) trusted.add(`${this.id}:anyCase`);
		if (this.isLowerCaseEmail()) trusted.add(`${this.id}:lowerCase`);
	}

	/** Whether no match means that there is no such client. */
	isTrusted(): boolean {
		return trusted.has(`${this.id}:anyCase`) || (this.isLowerCaseEmail() && trusted.has(`${this.id}:lowerCase`));
	}

	/** A row that has the text nowhere shows that the filter was ignored. */
	isMentionedIn(client: Client): boolean {
		return JSON.stringify(client).toLowerCase().includes(JSON.stringify(this.text).slice(1, -1).toLowerCase());
	}

	/** Emails are usually stored in lower case, so a filter that has found one finds others. */
	private isLowerCaseEmail(): boolean {
		return this.field === 'email' && this.text === this.text.toLowerCase();
	}
}
