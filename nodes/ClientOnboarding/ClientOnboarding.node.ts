import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { executeOperations } from './operations/execute';
import { nodeProperties, operations } from './operations/index';
import { searchGroups } from './parameters/groupSearch';
import { nodeSubtitle } from './parameters/subtitle';

export class ClientOnboarding implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Client Onboarding',
		name: 'clientOnboarding',
		icon: { light: 'file:../../icons/clientOnboarding.svg', dark: 'file:../../icons/clientOnboarding.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: nodeSubtitle(operations.map(({ option }) => option)),
		description: 'List, find and count your onboarded clients',
		defaults: { name: 'Client Onboarding' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'clientOnboardingApi', required: true }],
		properties: nodeProperties,
	};

	methods = { listSearch: { searchGroups } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await executeOperations(this)];
	}
}
