import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Need } from '../list/needs';
import type { Reading } from '../list/reading';
import type { Input } from '../parameters/input';

/** All there is to one operation. */
export interface Operation {
	/** Its entry in the dropdown. */
	option: INodePropertyOptions & { value: string };
	/** Its own fields; that they belong to it is said in one place for all. */
	properties: INodeProperties[];
	/** What one input item asks for. Throws where a parameter cannot be meant; nothing is asked of the service here. */
	prepare(context: IExecuteFunctions, itemIndex: number, nowMs: number): Question;
}

/** What an input item asks for. Items with the same need or ID and the same form get one answer. */
export interface Question {
	input: Input;
	/** The clients that are wanted; undefined where one is looked for by its ID. */
	need?: Need;
	referenceId?: string;
	/** What is looked for, and what to say where nobody has it. */
	sought?: string;
	notFound?: string;
	/** How the answer is to look. */
	form: IDataObject;
	answer(reading: Reading): Promise<IDataObject[]>;
}
