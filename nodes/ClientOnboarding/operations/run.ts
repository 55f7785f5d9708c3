import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeError, NodeOperationError } from 'n8n-workflow';
import { Reading } from '../list/reading';
import { emptyFilters } from '../parameters/emptyFilters';
import { shareReading } from '../parameters/input';
import { identifyService } from '../api/apiClient';
import { openSource } from '../pagination/source';
import type { Asked } from './advice';
import { adviseOn } from './advice';
import { prepareQuestion } from './dispatch';
import type { Question } from './operation';

/** More hints than this are not read. */
const MOST_HINTS = 5;

/** What an input item gets. */
export type Answer = IDataObject[] | NodeError;

/** An input item and what it asks for; the key is the same for all who ask the same. */
interface Asker {
	itemIndex: number;
	question: Question;
	key: string;
}

/** What was asked of one list and what came of it, by the keys of the questions in the order in which they were answered. */
interface Answered {
	reading: Reading;
	outcomes: Map<string, IDataObject[] | Error>;
}

/**
 * Answers all input items, in their order. Items that ask the same get one answer, and the list is read as seldom as can be.
 * Throws the first error, unless items may fail one by one.
 */
export async function answerItems(context: IExecuteFunctions, mayFail: boolean): Promise<Answer[]> {
	const answers: Answer[] = [];
	const fail = (itemIndex: number, error: Error) => {
		answers[itemIndex] = asNodeError(context, error, itemIndex);
		if (!mayFail) throw answers[itemIndex];
	};
	const hints: Array<{ message: string; type: 'info' | 'warning' }> = [];
	for (const askers of await prepareItems(context, fail)) {
		const { reading, outcomes } = await answerTogether(context, askers, mayFail);
		const firstAsker = new Map([...askers].reverse().map(({ key, itemIndex }) => [key, itemIndex]));
		// In the order in which they came about: the first error may have ended the others.
		for (const [key, outcome] of outcomes) {
			if (outcome instanceof Error && !mayFail) fail(firstAsker.get(key) as number, outcome);
		}
		for (const { itemIndex, key } of askers) {
			const outcome = outcomes.get(key) as IDataObject[] | Error;
			if (outcome instanceof Error) fail(itemIndex, outcome);
			// Whoever changes a record further on must not change that of another item.
			else answers[itemIndex] = firstAsker.get(key) === itemIndex ? outcome : structuredClone(outcome);
		}
		for (const message of reading.warnings) hints.push({ message, type: 'warning' });
		// Where some may be missing, nobody knows who was looked for in vain.
		const advice = reading.warnings.size > 0 ? undefined : adviseOn(summarise(askers, outcomes), reading.advice);
		if (advice) hints.push({ message: advice, type: 'info' });
	}
	const unused = emptyFilters(context.getNode().parameters.filters);
	if (unused.length > 0) hints.push({ message: `Empty filters were not used: ${unused.join(', ')}.`, type: 'info' });
	context.addExecutionHints(
		...hints.slice(0, MOST_HINTS).map((hint) => ({ ...hint, location: 'outputPane' as const })),
	);
	return answers;
}

/** The items that can be answered, by the list they ask for. */
async function prepareItems(
	context: IExecuteFunctions,
	fail: (itemIndex: number, error: Error) => void,
): Promise<Asker[][]> {
	const nowMs = Date.now();
	const lists = new Map<string, Asker[]>();
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			const question = prepareQuestion(context, itemIndex, nowMs);
			const list = JSON.stringify(await identifyService(context, itemIndex));
			const askers = lists.get(list) ?? [];
			lists.set(list, askers);
			const { need, referenceId, form } = question;
			askers.push({ itemIndex, question, key: JSON.stringify({ need, referenceId, form }) });
		} catch (error) {
			fail(itemIndex, error as Error);
		}
	}
	return [...lists.values()];
}

/** The outcome of each question, all asked side by side; where items may not fail, nothing is asked after the first error. */
async function answerTogether(context: IExecuteFunctions, askers: Asker[], mayFail: boolean): Promise<Answered> {
	const [{ itemIndex }] = askers;
	const { access, paging } = shareReading(askers.map(({ question }) => question.input));
	const questions = new Map(askers.map(({ key, question }) => [key, question]));
	const stopping = new AbortController();
	const source = await openSource(context, { itemIndex, ...access, deadline: stopping.signal });
	const needs = [...questions.values()].flatMap(({ need }) => need ?? []);
	const referenceIds = [...questions.values()].flatMap(({ referenceId }) => referenceId ?? []);
	const reading = new Reading(source, paging, needs, new Set(referenceIds));
	const outcomes = new Map<string, IDataObject[] | Error>();
	await Promise.all(
		[...questions].map(async ([key, { answer }]) => {
			const outcome = await answer(reading).catch((error: Error) => error);
			if (outcome instanceof Error && !mayFail) stopping.abort();
			outcomes.set(key, outcome);
		}),
	);
	return { reading, outcomes };
}

/** Each question once. */
function summarise(askers: Asker[], outcomes: Answered['outcomes']): Asked[] {
	const asked = new Map<string, Asked>();
	for (const { key, question } of askers) {
		const outcome = outcomes.get(key);
		const foundNobody = Array.isArray(outcome) && outcome.length === 0;
		asked.set(key, { question, items: 1 + (asked.get(key)?.items ?? 0), foundNobody });
	}
	return [...asked.values()];
}

function asNodeError(context: IExecuteFunctions, error: Error, itemIndex: number): NodeError {
	if (!(error instanceof NodeError)) return new NodeOperationError(context.getNode(), error, { itemIndex });
	// What several items have asked for together says of none which item it was about.
	error.context.itemIndex = itemIndex;
	return error;
}
