import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { ItemInput } from '../parameters/itemInput';
import type { BatchReader, Selection } from '../query/batchReader';

/** An operation is a file with one of these and a line in index.ts. */
export interface Operation<Query extends ClientQuery = ClientQuery> {
	/** Its entry in the dropdown. */
	option: INodePropertyOptions & { value: string };
	/** Its own fields; index.ts shows them only for this operation. */
	properties: INodeProperties[];
	/** What an input item requests. Sends no HTTP request; an error names the field that is not usable. */
	parse(input: ItemInput): Query;
	run(query: Query, reader: BatchReader): Promise<Output>;
}

/** Plain values: items whose queries are equal as JSON share one output. */
export interface ClientQuery {
	/** The clients that the output is made of, or the one with a reference ID. */
	selection?: Selection;
	referenceId?: string;
}

export interface Output {
	items: IDataObject[];
	/** Why clients may be missing. */
	warning?: string;
	/** Why no client matched. */
	noMatch?: string;
	/** What to do about input items without a client if others have one. */
	noMatchAdvice?: string;
}
