import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** All there is to one operation. */
export interface Operation {
	/** Its entry in the dropdown. */
	option: INodePropertyOptions & { value: string };
	/** Its own fields; that they belong to it is said in one place for all. */
	properties: INodeProperties[];
	/** Answers one input item. */
	execute(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]>;
}
