/** Makes rows for training of conversations: each is kept, changed or dropped, with the reasons. */
import { TranscriptError } from '../../errors.js';
import { attachedIn } from '../../formats/attachments.js';
import { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';
import type { Redactor } from '../../secrets/redact.js';
import type { Message, Text, Transcript } from '../../transcript/types.js';
import { DigestSet, type Hash } from '../select/digests.js';
import { createNearIndex } from '../select/near.js';
import type { NearFile } from '../select/near-store.js';
import { type ValuesAt, valuesAt } from '../select/where.js';
import { type CallFault, faultInCalls } from './calls.js';
import { cutToFit, withoutEmpty, withoutTail } from './ends.js';
import type { Grams } from './grams.js';
import type { RowValues } from './options.js';
import { messagesJson, rowTools } from './print.js';
import { type RowMessage, type Spoken, spokenIn } from './row.js';
import { createTypesSeen } from './types.js';

export interface Made {
  readonly outcome: 'kept' | 'changed' | 'dropped';
  readonly reasons: readonly string[];
  /** What exactly, of a row that is dropped. */
  readonly detail?: string | undefined;
  /** The row as JSON on one line, unless it is dropped. */
  readonly text?: string;
  /** It has calls, and no tools to compare them with. */
  readonly isUnchecked: boolean;
}

export interface Place {
  readonly file: string;
  readonly row: number;
  readonly format: string;
  /** The values that hold the conversation. */
  readonly roots: readonly JsonNode[];
}

/** What only some options need. */
export interface RowMeans {
  readonly hash: Hash;
  readonly textTokens?: ((model: string | undefined) => (text: string) => number) | undefined;
  readonly redactor?: Redactor | undefined;
  readonly grams?: Grams | undefined;
  /** What is known of rows, for near duplicates. */
  readonly nearFile?: NearFile | undefined;
}

export interface RowMaker {
  make(transcript: Transcript, place: Place): Made;
}

/** The tokens that each message adds, whatever its texts: the cookbook's figure, see src/tokens/count.ts. */
const PER_MESSAGE = 4;

class Dropped extends Error {
  constructor(
    readonly reason: string,
    readonly detail?: string,
  ) {
    super(reason);
  }
}

/** Throws TranscriptError for a path that is none. */
export function createRowMaker(values: RowValues, means: RowMeans): RowMaker {
  const names = values.metadata ?? [];
  const paths = names.map((path) => ({ path, at: valuesAt(path, '--metadata') }));
  const again = names.find((path, at) => OWN_METADATA.includes(path) || names.indexOf(path) < at);
  if (again !== undefined) throw new TranscriptError('usage', `--metadata: each row has \`${again}\` already`);
  const [types, seen] = [createTypesSeen(), new DigestSet()];
  const near = values.near === undefined ? undefined : createNearIndex(values.near, means.nearFile!);
  const steps: Steps = { values, means, paths, types, seen, near };
  return {
    make(transcript, place) {
      const reasons: string[] = [];
      const checked = { isUnchecked: false };
      try {
        const text = rowOf(steps, transcript, place, reasons, checked);
        return { outcome: reasons.length > 0 ? 'changed' : 'kept', reasons, text, ...checked };
      } catch (error) {
        if (!(error instanceof Dropped)) throw error;
        const detail = error.detail && withoutSecrets(means, error.detail);
        return { outcome: 'dropped', reasons: [error.reason], detail, ...checked };
      }
    },
  };
}

interface Steps {
  readonly values: RowValues;
  readonly means: RowMeans;
  readonly paths: readonly { readonly path: string; readonly at: ValuesAt }[];
  readonly types: ReturnType<typeof createTypesSeen>;
  readonly seen: DigestSet;
  readonly near: ReturnType<typeof createNearIndex> | undefined;
}

/** Whether the model read what is in no message. */
function isSentMore(transcript: Transcript): boolean {
  return [...attachedIn(transcript).values()].some(({ texts, media }) => texts.length + media > 0);
}

function rowOf(
  steps: Steps,
  transcript: Transcript,
  place: Place,
  reasons: string[],
  checked: { isUnchecked: boolean },
): string {
  const { values } = steps;
  if (transcript.abandoned !== undefined) throw new Dropped('abandoned');
  if (transcript.messages.some(isUntrained)) throw new Dropped('weight');
  const spoken = spokenIn(transcript);
  if (spoken.losses.has('media') && values.media === 'drop') throw new Dropped('media');
  addAll(reasons, spoken.losses);
  if (isSentMore(transcript)) reasons.push('attachment-lost');
  const whole = shortened(spoken, transcript, values, reasons);
  const fault = faultInCalls(whole, transcript);
  if (fault === 'unchecked') checked.isUnchecked = true;
  else if (fault !== undefined && (values.calls === 'drop' || isUnwritable(fault, values)))
    throw new Dropped(fault.reason, fault.detail);
  const tools = rowTools(transcript.tools);
  if (tools.leftOut > 0) reasons.push('tool-lost');
  const messages = fitting(steps, whole, transcript.model, tools.json, reasons);
  const spelled = messagesJson(messages, values);
  const toolsJson = values.schemas === 'object' ? tools.json : JSON.stringify(tools.json);
  const custom = customOf(steps, place);
  const text = `{"messages":${spelled},"tools":${toolsJson},"metadata":${metadataJson(transcript, place, custom)}}`;
  const row = redacted(steps, wellFormed(text, reasons), reasons);
  // last: later rows are compared with those that stay
  rejectKnown(steps, messages, spelled);
  rejectOtherTypes(steps, spelled, toolsJson, custom);
  return row;
}

/**
 * Whether OpenAI's mark says that a reply is not to be trained on:
 * https://platform.openai.com/docs/guides/supervised-fine-tuning
 */
function isUntrained({ role, raw }: Message): boolean {
  return role === 'assistant' && raw instanceof JsonNode && raw.get('weight')?.number === 0;
}

/** What is no JSON cannot be written as an object. */
function isUnwritable({ reason }: CallFault, values: RowValues): boolean {
  return reason === 'bad-arguments' && values.arguments === 'object';
}

// --- the messages

function shortened(
  { messages, open }: Spoken,
  { traits }: Transcript,
  { tail }: RowValues,
  reasons: string[],
): readonly RowMessage[] {
  const filled = withoutEmpty(messages);
  if (filled !== messages) reasons.push('empty');
  const isOpenAllowed = traits.omitsResults === true;
  const kept = tail === 'trim' ? withoutTail(filled, isOpenAllowed ? new Set() : open) : filled;
  if (kept.length < filled.length) reasons.push('tail');
  if (!kept.some(({ role }) => role === 'assistant')) throw new Dropped('no-reply');
  const last = kept.findLastIndex(({ role }) => role === 'assistant');
  const isParted = ({ tool_calls: calls }: RowMessage, index: number) =>
    (tail === 'trim' || index < last) && calls?.some((call) => open.has(call)) === true;
  if (!isOpenAllowed && kept.some(isParted)) throw new Dropped('open-call');
  return kept;
}

function fitting(
  { values: { maxTokens, over }, means: { textTokens } }: Steps,
  messages: readonly RowMessage[],
  model: string | undefined,
  tools: string,
  reasons: string[],
): readonly RowMessage[] {
  if (maxTokens === undefined) return messages;
  const count = textTokens!(model);
  const tokensOf = (message: RowMessage) => textsOf(message).reduce((sum, text) => sum + count(text), PER_MESSAGE);
  const most = maxTokens - (tools === '[]' ? 0 : count(tools));
  const total = messages.reduce((sum, message) => sum + tokensOf(message), 0);
  if (total <= most) return messages;
  const cut = over === 'cut' ? cutToFit(messages, most, tokensOf) : undefined;
  if (cut === undefined) throw new Dropped('too-long', `${total + maxTokens - most} tokens`);
  reasons.push('cut');
  return cut;
}

function textsOf({ content, reasoning_content: reasoning, tool_calls: calls }: RowMessage): string[] {
  const spoken = [content, ...(reasoning === null ? [] : [reasoning])];
  return spoken.concat((calls ?? []).flatMap(({ function: { name, arguments: text } }) => [name, text]));
}

// --- other rows

function rejectOtherTypes({ values, types }: Steps, messages: string, tools: string, custom: string): void {
  const hasObjects = values.arguments === 'object' || values.schemas === 'object';
  if (!hasObjects && custom === '') return;
  const spoken = hasObjects ? `"messages":${messages},"tools":${tools},` : '';
  const conflict = types.conflictIn(JSON.parse(`{${spoken}"metadata":{"":0${custom}}}`));
  if (conflict !== undefined) throw new Dropped('types', conflict.slice(1));
}

function rejectKnown({ values, means, seen, near }: Steps, messages: readonly RowMessage[], spelled: string): void {
  if (values.unique === true && !seen.add(means.hash(Buffer.from(spelled)))) throw new Dropped('duplicate');
  const texts = () => messages.flatMap(textsOf);
  if (means.grams?.sharedBy(texts())) throw new Dropped('contaminated');
  if (near !== undefined && !near.add(texts() as Text[])) throw new Dropped('near-duplicate');
}

// --- what stands beside the messages

/** Members for `--metadata`, each with a comma before it. */
function customOf({ paths }: Steps, { roots }: Place): string {
  return paths.map(({ path, at }) => `,${JSON.stringify(path)}:${valueJson(roots.flatMap(at)[0])}`).join('');
}

/** Lists and objects become texts: their members would be columns of their own. */
function valueJson(node: JsonNode | undefined): string {
  if (node === undefined) return 'null';
  return node.isObject || node.isArray ? JSON.stringify(node.json) : node.json;
}

function metadataJson({ agent, model }: Transcript, { file, row, format }: Place, custom: string): string {
  const own = { source: file, row, agent: agent ?? null, format, model: model ?? null };
  return `${JSON.stringify(own).slice(0, -1)}${custom}}`;
}

const OWN_METADATA = ['source', 'row', 'agent', 'format', 'model'];

/** An escape in JSON: two halves of a surrogate pair, one alone, or another one. */
const ESCAPE = /\\(?:(ud[89ab]..\\ud[c-f]..)|(ud[89a-f]..)|.)/gi;

/** Other readers refuse half of a surrogate pair, which JSON can escape: it becomes U+FFFD. */
function wellFormed(row: string, reasons: string[]): string {
  if (!/\\ud[89a-f]/i.test(row)) return row;
  const whole = row.replace(ESCAPE, (found, _pair, half?: string) => (half === undefined ? found : '\\ufffd'));
  if (whole !== row) reasons.push('half-character');
  return whole;
}

function redacted({ values, means }: Steps, text: string, reasons: string[]): string {
  const clean = withoutSecrets(means, text);
  if (clean === text) return text;
  if (values.secrets === 'drop') throw new Dropped('secrets');
  reasons.push('secrets');
  return clean;
}

/** The same text if it has none. */
function withoutSecrets({ redactor }: RowMeans, text: string): string {
  if (redactor === undefined) return text;
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  const sink = {
    slice: (_: Buffer, start: number, end: number) => void pieces.push(bytes.utf8Slice(start, end)),
    text: (mark: string) => void pieces.push(mark),
  };
  return redactor.redact(sink, bytes, 0, bytes.length) === 0 ? text : pieces.join('');
}
