import type { Client } from '../api/record';
import type { ListRead, Paging } from '../pagination/readList';
import { openList, readList } from '../pagination/readList';
import type { Source } from '../pagination/source';
import type { Filters, SentTextField } from './filters';
import { isFilteredHere, matcherFor, SENT_TEXT_FIELDS, TEXT_PARAMETERS, toQuery } from './filters';

interface ListOptions extends Paging {
	/** Infinity for all. */
	limit: number;
	/** The whole list, if several input items may need it. */
	readAll?: () => Promise<ListRead>;
}

/** The clients that match every filter. The service's filters save requests; every row is checked here. */
export async function listClients(source: Source, filters: Filters, options: ListOptions): Promise<ListRead> {
	const matches = matcherFor(filters);
	const { readAll, ...readOptions } = { ...options, matches, isSearch: isFilteredHere(filters) };
	const query = toQuery(filters);
	const fields = SENT_TEXT_FIELDS.filter((field) => TEXT_PARAMETERS[field] in query);
	if (fields.length === 0) return await readList(source, query, readOptions);

	const textFilters = fields.map((field) => new TextFilter(source, field, String(query[TEXT_PARAMETERS[field]])));
	const names: string[] = Object.values(TEXT_PARAMETERS);
	const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)));
	const readWithoutTexts = async () => {
		if (!readAll) return await readList(source, rest, readOptions);
		const all = await readAll();
		return { ...all, clients: all.clients.filter(matches).slice(0, options.limit) };
	};
	// With other filters beside it, the service may have applied any of them.
	const [onlyFilter] = Object.keys(query).length === 1 ? textFilters : [];
	const isIgnored = (rows: Client[]) => onlyFilter !== undefined && !rows.every((row) => onlyFilter.isMentionedIn(row));

	const opening = await openList(source, query, readOptions);
	if (readAll && isIgnored(opening.first.clients)) return await readWithoutTexts();
	const read = await readList(source, query, readOptions, opening);
	if (read.clients.length > 0) {
		onlyFilter?.learnFrom(read.clients);
		return read;
	}
	const isTrusted = textFilters.every((filter) => filter.isTrusted());
	// The specification does not show how texts are compared: the service may compare case, or another field.
	return isTrusted || isIgnored(read.returned) ? read : await readWithoutTexts();
}

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
