import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { nodeProperties, operationOptions } from './operations/dispatch';
import { answerItems } from './operations/run';
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
	};

	methods = { listSearch: { searchGroups } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const answers = await answerItems(this, this.continueOnFail());
		const output = answers.flatMap((answer, item): INodeExecutionData[] => {
			const records = answer instanceof Error ? [{ error: answer.message }] : answer;
			return records.map((json) => ({ json, pairedItem: { item } }));
		});
		return [output];
	}
}
