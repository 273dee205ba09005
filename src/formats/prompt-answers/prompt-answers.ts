/**
 * Rows of a prompt with its answers: preference data, prompt and completion, responses of the Completions API. Prompt
 * and answers are texts or lists of messages. The first answer follows the prompt; each other one is a transcript of
 * its own, so that the prompt counts once.
 */
import { JsonNode } from '../../json/node.js';
import type { Recorded } from '../../transcript/types.js';
import { NO_USAGE } from '../../transcript/usage.js';
import { defineFormat, type Envelope } from '../format.js';
import { type EditableList, findMessages } from '../shared/conversation.js';
import { describeList, embeddedFormat } from '../shared/embedded-messages.js';
import { chatUsage, responseInfo } from '../shared/recorded.js';
import { mergeEdits, syncCopies } from '../shared/sync-copies.js';
import {
  type Exchange,
  editedSides,
  exchangeEdits,
  exchangeMessages,
  requestsByReply,
  transcriptList,
} from '../shared/traces.js';
import { turnsInText } from './turns-in-text.js';

/** Members for the prompt and for its answers. Links as of 2026-11-29. */
const SHAPES: readonly { readonly prompt: string; readonly answers: readonly string[] }[] = [
  // https://huggingface.co/docs/trl/dataset_formats
  { prompt: 'prompt', answers: ['chosen', 'rejected'] },
  { prompt: 'prompt', answers: ['completion'] },
  // https://platform.openai.com/docs/guides/direct-preference-optimization
  { prompt: 'input', answers: ['preferred_output', 'non_preferred_output'] },
];

/**
 * Other members that hold the prompt; the first counts. https://huggingface.co/datasets/Intel/orca_dpo_pairs,
 * https://llamafactory.readthedocs.io/en/latest/getting_started/data_preparation.html (2026-11-30)
 */
const PROMPTS = ['question', 'instruction', 'input'];
/** What the model may be told besides: no message holds it. */
const BESIDE = [...PROMPTS, 'system', 'system_prompt'];

const envelope: Envelope = {
  open(record) {
    const lists = rowsIn(record).map(({ exchange, name }) => {
      const tools = record.get('input')?.get('tools') ?? record.get('tools');
      const about = { id: name, model: record.get('model')?.string, ...(tools?.isArray ? { tools } : {}) };
      return transcriptList(exchange, requestsByReply([exchange])(exchange), about);
    });
    return lists.length === 0 ? undefined : lists;
  },
  close(record, lists) {
    const edited = rowsIn(record).map((row, index) => {
      const after = lists[index]!;
      return { ...row, edited: after instanceof JsonNode ? undefined : exchangeEdits(row.exchange, after) };
    });
    return syncCopies(record, NO_EDITS, editedSides(edited));
  },
  describe(list) {
    const description = describeList(list);
    // an answer alone has no place for a prompt
    return list.length > 1 ? description : { ...description, traits: { ...description.traits, isReply: true } };
  },
};

const NO_EDITS = mergeEdits([]);

export default defineFormat({
  ...embeddedFormat,
  id: 'prompt-answers',
  envelope,
  beside: (row) => BESIDE.map((key) => row.get(key)),
});

/** The prompt with an answer, or one of the other answers. */
interface AnsweredRow {
  readonly name: string;
  readonly input: JsonNode | undefined;
  readonly output: JsonNode | undefined;
  readonly exchange: Exchange<EditableList>;
}

/** Other answers to the request that the first one states the usage of. */
const SAME_REQUEST: Recorded = { usage: NO_USAGE, cost: '0', billing: { requests: 0 } };

function rowsIn(record: JsonNode): AnsweredRow[] {
  const shape = SHAPES.find(({ answers }) => answers.every((key) => isAnswer(record.get(key))));
  const found = shape?.answers.map((name) => ({ name, output: record.get(name)! })) ?? choicesIn(record);
  const prompt = [shape?.prompt ?? 'prompt', ...PROMPTS]
    .map((key) => record.get(key))
    .find((node) => node?.isNull === false);
  const request = recordedIn(record);
  const rows = found.map(({ name, output }, index): AnsweredRow => {
    const input = index === 0 ? prompt : undefined;
    const exchange = {
      input: findMessages(input, 'user'),
      output: (prompt === undefined ? turnsInText(output) : undefined) ?? findMessages(output, 'assistant'),
      isRequest: true,
      request: index === 0 || request === undefined ? request : SAME_REQUEST,
    };
    return { name, input, output, exchange };
  });
  return rows.filter(({ exchange }) => exchangeMessages(exchange).length > 0);
}

function isAnswer(node: JsonNode | undefined): boolean {
  return node !== undefined && (node.isArray || node.isString);
}

/** The answers of the Completions API. https://platform.openai.com/docs/api-reference/completions/object */
function choicesIn(record: JsonNode) {
  const choices = record.get('choices')?.items() ?? [];
  return choices.flatMap((choice, index) => {
    const output = choice.get('message') === undefined ? choice.get('text') : undefined;
    return output?.isString ? [{ name: `choice ${index}`, output }] : [];
  });
}

function recordedIn(record: JsonNode): Recorded | undefined {
  return responseInfo(record, chatUsage(record.get('usage')), undefined);
}
