import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes, NodeError, NodeOperationError } from 'n8n-workflow';
import { executeOperation, nodeProperties, operationOptions } from './operations/dispatch';
import { nodeSubtitle } from './parameters/subtitle';
import { searchGroups } from './parameters/searchGroups';

export class ClientOnboarding implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Client Onboarding',
		name: 'clientOnboarding',
		icon: { light: 'file:../../icons/clientOnboarding.svg', dark: 'file:../../icons/clientOnboarding.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: nodeSubtitle(operationOptions),
		description: 'List, find and count your onboarded clients',
		defaults: { name: 'Client Onboarding' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'clientOnboardingApi', required: true }],
		properties: nodeProperties,
		hints: [
			{
				message:
					'The list is read for every input item. If one list is enough, turn on <b>Execute Once</b> in the settings of this node.',
				location: 'outputPane',
				whenToDisplay: 'beforeExecution',
				displayCondition: '={{ $parameter["operation"] !== "find" && $input.all().length > 1 }}',
			},
		],
	};

	methods = { listSearch: { searchGroups } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const pairedItem = { item };
			try {
				for (const json of await executeOperation(this, item)) output.push({ json, pairedItem });
			} catch (error) {
				if (!this.continueOnFail()) throw asNodeError(this, error as Error, item);
				output.push({ json: { error: (error as Error).message }, pairedItem });
			}
		}
		return [output];
	}
}

function asNodeError(context: IExecuteFunctions, error: Error, itemIndex: number): NodeError {
	if (!(error instanceof NodeError)) return new NodeOperationError(context.getNode(), error, { itemIndex });
	// What n8n itself throws does not say which item it was about.
	error.context.itemIndex ??= itemIndex;
	return error;
}
