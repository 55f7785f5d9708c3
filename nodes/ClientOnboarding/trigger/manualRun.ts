import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { listClients } from '../query/listClients';
import { explainNoMatch } from '../query/noMatchHint';
import { readParameters } from './config';
import { openService } from './openService';
import { buildSampleEvents } from './sampleEvents';

/** For building a workflow: events as they would be if they happened to clients that are listed now. */
export async function sampleFromClients(context: IPollFunctions): Promise<IDataObject[]> {
	const parameters = readParameters(context);
	const { source } = await openService(context, parameters.settings);
	const { filters, settings, config } = parameters;
	const { clients, returned } = await listClients(source, filters, { ...settings.paging, limit: Infinity });
	if (clients.length === 0) {
		throw new NodeOperationError(context.getNode(), explainNoMatch(filters, returned), {
			description:
				'Test events are made from clients that are listed now. Change the filters if there are any, or try again when a client matches.',
		});
	}
	return buildSampleEvents(clients, Date.now(), config);
}
