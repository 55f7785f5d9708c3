import type { INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { triggerSubtitle } from './parameters/subtitle';
import { searchGroups } from './parameters/groupSearch';
import { sampleFromClients } from './trigger/manualRun';
import { pollForEvents } from './trigger/poll';
import { triggerProperties } from './trigger/properties';

export class ClientOnboardingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Client Onboarding Trigger',
		name: 'clientOnboardingTrigger',
		icon: { light: 'file:../../icons/clientOnboarding.svg', dark: 'file:../../icons/clientOnboarding.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle(),
		// n8n's panel shows this for the actions, too.
		description: 'List, find and count your onboarded clients, or start a workflow when one is new, changes or stalls',
		defaults: { name: 'Client Onboarding Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'clientOnboardingApi', required: true }],
		properties: triggerProperties,
		hints: [
			{
				message: 'Each event is one item. Several events of one poll arrive together, in one execution.',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
				displayCondition: '={{ $parameter["triggerOn"].length > 1 }}',
			},
		],
	};

	methods = { listSearch: { searchGroups } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const events = this.getMode() === 'manual' ? await sampleFromClients(this) : await pollForEvents(this);
		// n8n saves the state only if something is returned, even an empty list.
		return events ? [events.map((json) => ({ json }))] : null;
	}
}
