import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { ItemInput } from '../parameters/itemInput';
import type { BatchReader, Selection } from '../query/batchReader';

/** An operation is a file with one of these and a line in index.ts. */
export interface Operation<Question extends ClientQuestion = ClientQuestion> {
	/** Its entry in the dropdown. */
	option: INodePropertyOptions & { value: string };
	/** Its own fields; index.ts shows them only for this operation. */
	properties: INodeProperties[];
	/** What an input item asks. Sends no request; an error names the field that is not usable. */
	parse(input: ItemInput): Question;
	answer(question: Question, reader: BatchReader): Promise<Answer>;
}

/** Plain values: items whose questions are equal as JSON share one answer. */
export interface ClientQuestion {
	/** The clients that the answer is made of, or the one with a reference ID. */
	selection?: Selection;
	referenceId?: string;
}

export interface Answer {
	items: IDataObject[];
	/** Why clients may be missing. */
	warning?: string;
	/** Why no client matched. */
	noMatch?: string;
}
