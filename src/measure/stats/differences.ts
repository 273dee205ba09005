/** The facts of a diff: before and after, message by message, with texts and tokens. */

import { type Clean, cleanedParts } from '../../transcript/cleaned.js';
import { type Change, changesBetween } from '../../transcript/compare.js';
import { pair } from '../../transcript/pairs.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
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
  return kind === 'changed' ? unshownChanges(before!.unshown, after!.unshown) : [];
}

export interface TranscriptDifference {
  readonly file: string;
  readonly line: number;
  readonly id: string | undefined;
  readonly model: string | undefined;
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
}

export function differencesOf(
  before: Transcript,
  after: Transcript,
  place: { readonly file: string; readonly line: number },
  { counting, prices, changes, clean }: DifferenceOptions,
): TranscriptDifference {
  const known = changes ?? changesBetween(before.messages, after.messages);
  const isRecord = (change: Change) =>
    ('before' in change ? before.messages[change.before]! : after.messages[change.after]!).role === 'meta';
  const sidesOf = ({ messages }: Transcript) => {
    const names = toolNames(messages);
    return (index: number) => sideOf(messages[index]!, index, names, { counting, clean });
  };
  const [sideBefore, sideAfter] = [sidesOf(before), sidesOf(after)];
  return {
    ...place,
    id: after.id ?? before.id,
    model: counting.model,
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
  { counting, clean }: Pick<DifferenceOptions, 'counting' | 'clean'>,
): Side {
  return {
    index,
    role: message.role,
    tools: toolsIn(message, toolOf),
    get text() {
      return readable(clean === undefined ? message.parts : cleanedParts(message.parts, clean));
    },
    get unshown() {
      return unshownIn(message);
    },
    tokens: counting.message(message),
  };
}

/** The parts of a message as text: calls as `name(arguments)`, media by their kind. */
export function readable(parts: readonly Part[]): string {
  return parts.map(readablePart).join('\n');
}

function readablePart(part: Part): string {
  switch (part.type) {
    case 'text':
      return textOf(part.text);
    case 'thinking':
      return `[thinking] ${textOf(part.text)}`;
    case 'call':
      return `${part.tool}(${textOf(part.input)})${part.callId ? ` [${part.callId}]` : ''}`;
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
