import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeError, NodeOperationError } from 'n8n-workflow';
import { identifyService } from '../api/apiClient';
import { openSource } from '../pagination/source';
import type { ItemInput } from '../parameters/itemInput';
import { parseItemInput } from '../parameters/itemInput';
import { parseChoice } from '../parameters/parsing';
import { BatchReader } from '../query/batchReader';
import { describeAnswers } from './hints';
import { operations } from './index';
import type { Answer, ClientQuestion, Operation } from './operation';

/** An input item whose parameters are usable. */
interface Asker {
	itemIndex: number;
	input: ItemInput;
	operation: Operation;
	question: ClientQuestion;
	/** Items with the same key share one answer. */
	key: string;
}

/** Answers all input items, in their order. Without Continue On Fail, the first error ends the execution. */
export async function executeOperations(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const outcomes: Array<Answer | NodeError> = [];
	const fail = (itemIndex: number, error: Error) => {
		const nodeError = asNodeError(context, error, itemIndex);
		if (!context.continueOnFail()) throw nodeError;
		outcomes[itemIndex] = nodeError;
	};
	const askersByList = await parseItems(context, fail);
	for (const askers of askersByList) await answerTogether(context, askers, outcomes, fail);
	const keys = new Map(askersByList.flat().map(({ itemIndex, key }) => [itemIndex, key]));
	context.addExecutionHints(...describeAnswers(context, outcomes, keys));
	return outcomes.flatMap((outcome, item) => {
		const records = outcome instanceof Error ? [{ error: outcome.message }] : outcome.items;
		return records.map((json) => ({ json, pairedItem: { item } }));
	});
}

/** By the list and the options it is read with: credentials and options may differ from item to item. */
async function parseItems(
	context: IExecuteFunctions,
	fail: (itemIndex: number, error: Error) => void,
): Promise<Asker[][]> {
	const lists = new Map<string, Asker[]>();
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			const operation = chooseOperation(context.getNodeParameter('operation', itemIndex));
			const input = parseItemInput(context, itemIndex);
			const question = operation.parse(input);
			const list = JSON.stringify([await identifyService(context, itemIndex), input.settings]);
			const askers = lists.get(list) ?? [];
			lists.set(list, askers);
			askers.push({ itemIndex, input, operation, question, key: JSON.stringify([list, question]) });
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

async function answerTogether(
	context: IExecuteFunctions,
	askers: Asker[],
	outcomes: Array<Answer | NodeError>,
	fail: (itemIndex: number, error: Error) => void,
): Promise<void> {
	const [{ itemIndex: firstItem, input }] = askers;
	const { paging, parallelRequests, timeoutMs } = input.settings;
	const stopping = new AbortController();
	const source = await openSource(context, {
		itemIndex: firstItem,
		parallelRequests,
		timeoutMs,
		deadline: stopping.signal,
	});
	const selections = askers.flatMap(({ question }) => question.selection ?? []);
	const referenceIds = askers.flatMap(({ question }) => question.referenceId ?? []);
	const reader = new BatchReader(source, paging, selections, new Set(referenceIds));
	const answers = new Map<string, Promise<Answer>>();
	await Promise.all(
		askers.map(async (asker) => {
			const shared = answers.get(asker.key);
			const answer = shared ?? answerOne(context, asker, reader);
			answers.set(asker.key, answer);
			const outcome = await answer.catch((error: Error) => error);
			if (outcome instanceof Error) fail(asker.itemIndex, outcome);
			// Each item gets its own copy: a later node may change one.
			else outcomes[asker.itemIndex] = shared ? structuredClone(outcome) : outcome;
		}),
	).finally(() => stopping.abort());
}

async function answerOne(
	context: IExecuteFunctions,
	{ itemIndex, input, operation, question }: Asker,
	reader: BatchReader,
): Promise<Answer> {
	const answer = await operation.answer(question, reader);
	const { items, warning, noMatch } = answer;
	if (warning && input.settings.onIncomplete === 'fail') {
		throw new NodeOperationError(context.getNode(), warning, {
			itemIndex,
			description:
				'No items are output because the option "If List May Be Incomplete" is set to "Stop". Run the workflow again later, or set the option to "Warn".',
		});
	}
	if (!input.isTool || !(warning ?? noMatch)) return answer;
	// An AI agent sees no hints, so the last item has the text.
	const text = warning ? { warning } : { message: noMatch };
	return { ...answer, items: [...items.slice(0, -1), { ...items.at(-1), ...text }] };
}

function asNodeError(context: IExecuteFunctions, error: Error, itemIndex: number): NodeError {
	if (!(error instanceof NodeError)) return new NodeOperationError(context.getNode(), error, { itemIndex });
	// Items that share a request also share its error, so the index of this item is set.
	error.context.itemIndex = itemIndex;
	return error;
}
