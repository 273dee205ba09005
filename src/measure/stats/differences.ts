/** The facts of a diff: before and after, message by message, with texts and tokens. */

import { canonical } from '../../json/canonical.js';
import { type Clean, cleanedParts } from '../../transcript/cleaned.js';
import { type Change, changesBetween } from '../../transcript/compare.js';
import { pair } from '../../transcript/pairs.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part, Text, Transcript } from '../../transcript/types.js';
import type { PriceBook } from '../pricing/cost.js';
import type { Counting } from './counting.js';
import { countedOf, type Totals, toolsIn, totalsOf } from './facts.js';
import { type Unshown, unshownChanges, unshownIn } from './unshown.js';

/** A message as a person reads it in a diff. */
export interface Side {
  readonly index: number;
  readonly role: string;
  /** The tools that it calls or has results of. */
  readonly tools: readonly string[];
  readonly text: string;
  /** The arguments of its calls, as they are written. */
  readonly inputs: readonly string[];
  /** What stands in no text. */
  readonly unshown: Unshown;
  readonly tokens: number;
}

export interface Difference {
  readonly kind: Change['kind'];
  readonly before?: Side;
  readonly after?: Side;
}

/** What changed that no text shows: `image`. */
export function changedUnshown({ kind, before, after }: Difference): readonly string[] {
  if (kind !== 'changed') return [];
  const isSpaced = differsInSpace(before!.inputs, after!.inputs);
  return [
    ...unshownChanges(before!.unshown, after!.unshown, before!.text === after!.text),
    ...(isSpaced ? ['white space of arguments'] : []),
  ];
}

/** Whether arguments are not spelled the same, and that only by their white space. */
function differsInSpace(before: readonly string[], after: readonly string[]): boolean {
  const [was, is] = [before.join('\n'), after.join('\n')];
  const bare = (text: string) => text.replace(/\s+/g, '');
  if (was === is || before.length !== after.length || bare(was) !== bare(is)) return false;
  return before.every((text, at) => canonical(text) === canonical(after[at]!));
}

/** The model, the tools, or another field of the request, with its value as JSON; undefined: it is not there. */
export interface Beside {
  readonly name: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** What people call it. */
export function besideName({ name }: Pick<Beside, 'name'>): string {
  return name === 'tools' ? 'tool definitions' : name;
}

export function toolsBeside({ tools: before }: Transcript, { tools: after }: Transcript): Beside[] {
  const [was, is] = [before, after].map((tools) => (tools === undefined ? undefined : textOf(tools)));
  return was === is || canonical(was ?? '[]') === canonical(is ?? '[]')
    ? []
    : [{ name: 'tools', before: was, after: is }];
}

export interface TranscriptDifference {
  readonly file: string;
  readonly line: number;
  readonly id: string | undefined;
  readonly model: string | undefined;
  /** What differs beside the messages. */
  readonly beside: readonly Beside[];
  readonly notCompared: readonly string[];
  readonly differences: readonly Difference[];
  readonly before: Totals;
  readonly after: Totals;
}

export interface DifferenceOptions {
  readonly counting: Counting;
  readonly prices: PriceBook | undefined;
  /** The changes of a transform; by default found by comparing the messages. */
  readonly changes?: readonly Change[];
  /** Takes secrets out of the texts. */
  readonly clean?: Clean;
  /** By default the tool definitions: transforms change nothing else. */
  readonly beside?: readonly Beside[];
  readonly notCompared?: readonly string[];
}

export function differencesOf(
  before: Transcript,
  after: Transcript,
  place: { readonly file: string; readonly line: number },
  { counting, prices, changes, clean, beside, notCompared }: DifferenceOptions,
): TranscriptDifference {
  const known = changes ?? changesBetween(before.messages, after.messages);
  const isSameFormat = before.format === after.format;
  const isRecord = (change: Change) =>
    ('before' in change ? before.messages[change.before]! : after.messages[change.after]!).role === 'meta';
  const sidesOf = ({ messages }: Transcript) => {
    const names = toolNames(messages);
    return (index: number) => sideOf(messages[index]!, index, names, { counting, clean, isSameFormat });
  };
  const [sideBefore, sideAfter] = [sidesOf(before), sidesOf(after)];
  return {
    ...place,
    id: after.id ?? before.id,
    model: counting.model,
    beside: beside ?? toolsBeside(before, after),
    notCompared: notCompared ?? [],
    differences: known.flatMap((change): Difference[] => {
      if (isRecord(change)) return [];
      const sides: { before?: Side; after?: Side } = {};
      if ('before' in change) sides.before = sideBefore(change.before);
      if ('after' in change) sides.after = sideAfter(change.after);
      return [{ kind: change.kind, ...sides }];
    }),
    before: summaryOf(before, counting, prices),
    after: summaryOf(after, counting, prices),
  };
}

/** The totals of a transcript. */
export function summaryOf(transcript: Transcript, counting: Counting, prices: PriceBook | undefined): Totals {
  return totalsOf(transcript, countedOf(transcript, counting), prices, undefined);
}

/** The tool of each result: its own name, else that of its call. */
function toolNames(messages: readonly Message[]): ReadonlyMap<Part, string | undefined> {
  return new Map(pair(messages).results.map(({ part, call }) => [part, part.tool ?? call?.part.tool]));
}

function sideOf(
  message: Message,
  index: number,
  toolOf: ReadonlyMap<Part, string | undefined>,
  { counting, clean, isSameFormat }: Pick<DifferenceOptions, 'counting' | 'clean'> & { readonly isSameFormat: boolean },
): Side {
  return {
    index,
    role: message.role,
    tools: toolsIn(message, toolOf),
    get text() {
      const parts = clean === undefined ? message.parts : cleanedParts(message.parts, clean);
      return readable(parts, isSameFormat ? undefined : argumentsByValue);
    },
    get inputs() {
      return message.parts.flatMap((part) => (part.type === 'call' ? [textOf(part.input)] : []));
    },
    get unshown() {
      return unshownIn(message, isSameFormat);
    },
    tokens: counting.message(message),
  };
}

/** The parts of a message as text: calls as `name(arguments)`, media by their kind. */
export function readable(parts: readonly Part[], argumentsOf: (input: Text) => string = textOf): string {
  return parts.map((part) => readablePart(part, argumentsOf)).join('\n');
}

/** The same for all spellings. */
export function argumentsByValue(input: Text): string {
  return canonical(textOf(input));
}

function readablePart(part: Part, argumentsOf: (input: Text) => string): string {
  switch (part.type) {
    case 'text':
      return textOf(part.text);
    case 'thinking':
      return `[thinking] ${textOf(part.text)}`;
    case 'call':
      return `${part.tool}(${argumentsOf(part.input)})${part.callId ? ` [${part.callId}]` : ''}`;
    case 'result':
      return `${part.callId ? `[${part.callId}] ` : ''}${readable(part.content)}`;
    case 'media':
      return `[${part.kind}]`;
    case 'opaque':
      return part.text === undefined ? '[…]' : textOf(part.text);
    default:
      return part satisfies never;
  }
}
