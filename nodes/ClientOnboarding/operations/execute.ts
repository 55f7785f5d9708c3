import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeError, NodeOperationError } from 'n8n-workflow';
import { identifyService } from '../api/credentials';
import { openSource } from '../pagination/source';
import type { ItemInput } from '../parameters/itemInput';
import { parseItemInput } from '../parameters/itemInput';
import { joinInput } from '../parameters/joinInput';
import { parseChoice } from '../parameters/parsing';
import { BatchReader } from '../query/batchReader';
import { describeOutputs } from './hints';
import { operations } from './index';
import type { ClientQuery, Operation, Output } from './operation';

/** An input item whose parameters are usable. */
interface ItemQuery {
	itemIndex: number;
	input: ItemInput;
	operation: Operation;
	query: ClientQuery;
	/** Items with the same key share one output. */
	key: string;
}

/** Runs the operation for all input items, in their order. Without Continue On Fail, the first error ends the execution. */
export async function executeOperations(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const outcomes: Array<Output | NodeError> = [];
	const fail = (itemIndex: number, error: Error) => {
		const nodeError = asNodeError(context, error, itemIndex);
		if (!context.continueOnFail()) throw nodeError;
		outcomes[itemIndex] = nodeError;
	};
	const itemsByList = await parseItems(context, fail);
	for (const items of itemsByList) await runTogether(context, items, outcomes, fail);
	const keys = new Map(itemsByList.flat().map(({ itemIndex, key }) => [itemIndex, key]));
	context.addExecutionHints(...describeOutputs(context, outcomes, keys));
	return outcomes.flatMap((outcome, item) => {
		const records = outcome instanceof Error ? [{ error: outcome.message }] : outcome.items;
		return records.map((json) => ({ json, pairedItem: { item } }));
	});
}

/** By the list and the options it is read with: credentials and options may differ from item to item. */
async function parseItems(
	context: IExecuteFunctions,
	fail: (itemIndex: number, error: Error) => void,
): Promise<ItemQuery[][]> {
	const lists = new Map<string, ItemQuery[]>();
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			const operation = chooseOperation(context.getNodeParameter('operation', itemIndex));
			const input = parseItemInput(context, itemIndex);
			const query = operation.parse(input);
			const list = JSON.stringify([await identifyService(context, itemIndex), input.settings]);
			const items = lists.get(list) ?? [];
			lists.set(list, items);
			items.push({ itemIndex, input, operation, query, key: JSON.stringify([list, query]) });
		} catch (error) {
			fail(itemIndex, error as Error);
		}
	}
	return [...lists.values()];
}

/** n8n adds this operation to every node with a credential. Its panel points to the HTTP Request node. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

function chooseOperation(value: unknown): Operation {
	if (value === CUSTOM_API_CALL) {
		throw new Error(
			'Use the HTTP Request node for custom API calls. In it, set "Authentication" to "Predefined Credential Type" and "Credential Type" to "Client Onboarding API"',
		);
	}
	const values = operations.map(({ option }) => option.value);
	return operations[values.indexOf(parseChoice(value, 'Operation', values))];
}

async function runTogether(
	context: IExecuteFunctions,
	items: ItemQuery[],
	outcomes: Array<Output | NodeError>,
	fail: (itemIndex: number, error: Error) => void,
): Promise<void> {
	const [{ itemIndex: firstItem, input }] = items;
	const { paging, parallelRequests, timeoutMs } = input.settings;
	const stopping = new AbortController();
	const source = await openSource(context, {
		itemIndex: firstItem,
		parallelRequests,
		timeoutMs,
		deadline: stopping.signal,
	});
	const selections = items.flatMap(({ query }) => query.selection ?? []);
	const referenceIds = items.flatMap(({ query }) => query.referenceId ?? []);
	const reader = new BatchReader(source, paging, selections, new Set(referenceIds));
	const outputs = new Map<string, Promise<Output>>();
	await Promise.all(
		items.map(async (item) => {
			const shared = outputs.get(item.key);
			const output = shared ?? runOne(context, item, reader);
			outputs.set(item.key, output);
			const outcome = await output.catch((error: Error) => error);
			if (outcome instanceof Error) return fail(item.itemIndex, outcome);
			// Each item gets its own copy: a later node may change one.
			const own = shared ? structuredClone(outcome) : outcome;
			outcomes[item.itemIndex] = item.input.includeInput ? joinRow(context, item.itemIndex, own) : own;
		}),
	).finally(() => stopping.abort());
}

async function runOne(
	context: IExecuteFunctions,
	{ itemIndex, input, operation, query }: ItemQuery,
	reader: BatchReader,
): Promise<Output> {
	const output = await operation.run(query, reader);
	const { items, warning, noMatch } = output;
	if (warning && input.settings.onIncomplete === 'fail') {
		throw new NodeOperationError(context.getNode(), warning, {
			itemIndex,
			description:
				'No items are output because the option "If List May Be Incomplete" is set to "Stop". Run the workflow again later, or set the option to "Warn".',
		});
	}
	if (!input.isTool || !(warning ?? noMatch)) return output;
	// An AI agent sees no hints, so the last item has the text.
	const text = warning ? { warning } : { message: noMatch };
	return { ...output, items: [...items.slice(0, -1), { ...items.at(-1), ...text }] };
}

function joinRow(context: IExecuteFunctions, itemIndex: number, output: Output): Output {
	const { json } = context.getInputData()[itemIndex];
	return { ...output, items: output.items.map((client) => joinInput(json, client)) };
}

function asNodeError(context: IExecuteFunctions, error: Error, itemIndex: number): NodeError {
	if (!(error instanceof NodeError)) {
		return new NodeOperationError(context.getNode(), error, {
			itemIndex,
			description: describeItem(context, itemIndex),
		});
	}
	// Items that share a request also share its error, which has the index of the first of them.
	error.context.itemIndex ??= itemIndex;
	return error;
}

/** People count rows from 1. n8n adds the index, which counts from 0, to the message. */
function describeItem(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const items = context.getInputData().length;
	if (items === 1) return undefined;
	return `This is item ${itemIndex + 1} of ${items}: n8n's [item ${itemIndex}] counts from 0. To continue with the others, set "On Error" in the settings of this node to "Continue (using error output)".`;
}
