import { describe, expect, it } from '@jest/globals';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { ClientOnboarding } from '../../../../nodes/ClientOnboarding/ClientOnboarding.node';
import { ClientOnboardingTrigger } from '../../../../nodes/ClientOnboarding/ClientOnboardingTrigger.node';
import { makeNode, makeWorkflow } from '../../../support/engine.mts';

/** As n8n's editor evaluates it. */
function subtitleOf(type: INodeType, parameters: INodeParameters): unknown {
	const node = makeNode(parameters);
	const { expression } = makeWorkflow(node, type);
	return expression.getSimpleParameterValue(node, type.description.subtitle, 'internal', {});
}

describe('The line under a node', () => {
	it.each<[INodeParameters, string]>([
		[{ operation: 'list' }, 'List Clients'],
		[{ operation: 'count', filters: {} }, 'Count Clients'],
		[
			{
				operation: 'list',
				filters: { requestStatus: ['pending'], groupName: { __rl: true, mode: 'list', value: 'Wholesale' } },
			},
			'List Clients: Pending, Wholesale',
		],
		[
			{ operation: 'list', filters: { clientType: 'company', createdWithinDays: 7 } },
			'List Clients: Company, created within 7 days',
		],
		[
			{ operation: 'list', filters: { requestStatus: ['pending'], clientStatus: 'active' } },
			'List Clients: Pending, client status active',
		],
		[{ operation: 'list', options: { sort: 'newestFirst' } }, 'List Clients: newest first'],
		[{ operation: 'find', findBy: 'referenceId' }, 'Find Client: by reference ID'],
		[{ operation: 'find', findBy: 'email' }, 'Find Client: by email'],
		[{ operation: 'list', filters: { olderThanDays: 30 } }, 'List Clients: created more than 30 days ago'],
		[
			{ operation: 'list', filters: { clientEmail: 'a-very-long-address@a-very-long-domain.example' } },
			'List Clients: a-very-long-address@a-very-lon…',
		],
	])('of %j is %p', (parameters, subtitle) => {
		expect(subtitleOf(new ClientOnboarding(), parameters)).toBe(subtitle);
	});

	it.each<[INodeParameters, string]>([
		[{ triggerOn: ['clientCreated'] }, 'New Client'],
		[{ triggerOn: ['statusReached'], statusBecomes: ['declined'] }, 'Reaches Declined'],
		[{ triggerOn: ['statusReached'], statusBecomes: ['declined', 'pending'] }, 'Reaches Declined or Pending'],
		[{ triggerOn: ['clientCreated', 'clientUpdated', 'clientRemoved'] }, 'New Client, Updated, Removed'],
		[{ triggerOn: ['requestStatusChanged'], statusBecomes: [] }, 'Changes to any status'],
		[{ triggerOn: ['clientStalled'], stalledAfterDays: 1, repeatAfterDays: 0 }, 'Stalled for 1 day'],
		[{ triggerOn: ['clientStalled'], stalledAfterDays: 7, repeatAfterDays: 0 }, 'Stalled for 7 days'],
		[
			{ triggerOn: ['clientStalled'], stalledAfterDays: 7, repeatAfterDays: 3 },
			'Stalled for 7 days, again every 3 days',
		],
	])('of a trigger with %j is %p', (parameters, subtitle) => {
		expect(subtitleOf(new ClientOnboardingTrigger(), parameters)).toBe(subtitle);
	});
});
