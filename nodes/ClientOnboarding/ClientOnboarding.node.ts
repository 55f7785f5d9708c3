import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes, NodeError, NodeOperationError } from 'n8n-workflow';
import { count, countOption, countProperties } from './operations/count';
import { find, findOption, findProperties } from './operations/find';
import { list, listOption, listProperties } from './operations/list';
import { listGroups, listGroupsOption, listGroupsProperties } from './operations/listGroups';
import { searchGroups } from './operations/searchGroups';

const operations = { list, find, count, listGroups };

export class ClientOnboarding implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Client Onboarding',
		name: 'clientOnboarding',
		icon: { light: 'file:../../icons/clientOnboarding.svg', dark: 'file:../../icons/clientOnboarding.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle:
			'={{ { list: "List Clients", find: "Find Client", count: "Count Clients", listGroups: "List Groups" }[$parameter["operation"]] }}',
		description: 'List, find and count your onboarded clients',
		defaults: { name: 'Client Onboarding' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'clientOnboardingApi', required: true }],
		properties: [
			{
				// Nobody sees it, but only with a resource does n8n tell an AI agent what the chosen operation does.
				displayName: 'Resource',
				name: 'resource',
				type: 'hidden',
				noDataExpression: true,
				options: [{ name: 'Client', value: 'client' }],
				default: 'client',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['client'] } },
				options: [countOption, findOption, listOption, listGroupsOption],
				default: 'list',
			},
			...listProperties,
			...findProperties,
			...countProperties,
			...listGroupsProperties,
		],
	};

	methods = { listSearch: { searchGroups } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const pairedItem = { item };
			try {
				const operation = this.getNodeParameter('operation', item) as keyof typeof operations;
				for (const json of await operations[operation](this, item)) {
					output.push({ json, pairedItem });
				}
			} catch (error) {
				if (!this.continueOnFail()) throw asNodeError(this, error as Error, item);
				output.push({ json: { error: (error as Error).message }, pairedItem });
			}
		}
		return [output];
	}
}

function asNodeError(context: IExecuteFunctions, error: Error, itemIndex: number): NodeError {
	return error instanceof NodeError ? error : new NodeOperationError(context.getNode(), error, { itemIndex });
}
