/** What steps make of a table, by their id. Undefined where that takes the messages themselves. */
import { decodeString } from '../../../json/strings.js';
import { languageOf } from '../../../options/language.js';
import { mapParts, withoutPartsOf } from '../../../transcript/edit.js';
import {
  ASSISTANT,
  CHANGES,
  GOES,
  LOSES,
  type MessageTable,
  pairRows,
  type RowPairs,
  type RowPlan,
  TOOL,
} from '../../../transcript/table.js';
import { longest, textOf } from '../../../transcript/text.js';
import type { Message, Part, ResultPart } from '../../../transcript/types.js';
import type clear from '../../../transforms/clear.js';
import { clearedNote } from '../../../transforms/clear-calls.js';
import { leastSize } from '../../../transforms/clear-going.js';
import { limitsOf } from '../../../transforms/cut-limits.js';
import { type default as dedupe, REPEATED } from '../../../transforms/dedupe.js';
import type filter from '../../../transforms/filter.js';
import { measureByUnit } from '../../../transforms/measure.js';
import { sizeOf } from '../../../transforms/pace.js';
import { withNote } from '../../../transforms/results.js';
import { type Counts, NO_COUNTS } from '../../../transforms/transform.js';
import type truncate from '../../../transforms/truncate.js';
import { canExceed, cutResult, keptEnds } from '../../../transforms/truncate.js';
import { supersededRows } from './dedupe.js';
import { goingRows } from './staying.js';

type Planner = (table: MessageTable, values: never, counts: Counts) => RowPlan | undefined;
type ValuesOf<T> = T extends { apply(transcript: never, values: infer V, counts: never): unknown } ? V : never;

export const planners = {
  filter: planFilter,
  patch: planPatch,
  truncate: planTruncate,
  clear: planClear,
  dedupe: planDedupe,
} as const satisfies Readonly<Record<string, Planner>>;

export type PlannedStep = keyof typeof planners;

function planFilter(table: MessageTable, values: ValuesOf<typeof filter>): RowPlan | undefined {
  const { maxToolCalls: limit, unit, scope, pending, dropUser, marker, every, everything } = values;
  const isPlain = unit === 'result' && scope === 'all' && pending === 'keep' && dropUser !== true && marker !== true;
  const pairs = limit !== undefined && isPlain && isForAllTools(values) ? pairRows(table) : undefined;
  if (pairs === undefined || typeof every !== 'number') return undefined;
  const goes = goingRows(table, pairs, { kept: Math.max(0, limit!), every, everything });
  return goes.includes(1) ? withoutRows(goes, table, pairs) : 'same';
}

/** The table without some results and their calls. */
function withoutRows(goes: Uint8Array, table: MessageTable, { resultOf }: RowPairs): RowPlan {
  const { length, of } = table.messages;
  const fates = new Uint8Array(length);
  const isGoneCall = (call: number) => goes[resultOf[call]!] === 1;
  for (let row = 0; row < length; row++) {
    const results = of.results[row]! - table.firstResult(row);
    let [goneCalls, goneResults] = [0, 0];
    for (let result = table.firstResult(row); result < of.results[row]!; result++) goneResults += goes[result]!;
    for (let call = table.firstCall(row); call < of.calls[row]!; call++) if (isGoneCall(call)) goneCalls++;
    if (goneCalls + goneResults === 0) continue;
    const isBare = goneResults === results && goneCalls === of.calls[row]! - table.firstCall(row);
    fates[row] = isBare && of.says[row] === 0 ? GOES : LOSES;
  }
  if (table.inPieces) dropLooseThoughts(fates, table);
  const isGone = (row: number) => {
    let [call, result] = [table.firstCall(row), table.firstResult(row)];
    return ({ type }: Pick<Part, 'type'>) =>
      type === 'call' ? isGoneCall(call++) : type === 'result' && goes[result++] === 1;
  };
  return {
    fates,
    isGone,
    change: (message, row) => withoutPartsOf(message, new Set(message.parts.filter(isGone(row)))),
  };
}

/** As `withoutLooseThoughts` has it for messages. */
function dropLooseThoughts(fates: Uint8Array, { messages: { of, length } }: MessageTable): void {
  let led: 'nowhere' | 'to what is left' | 'to what went' = 'nowhere';
  let thought = false;
  for (let row = length - 1; row >= 0; row--) {
    const thinks = of.thinks[row] === 1;
    if (thinks) {
      if (led === 'to what went') fates[row] = GOES;
    } else if (of.role[row] !== ASSISTANT) led = 'nowhere';
    else if (fates[row] !== GOES) led = 'to what is left';
    else if (thought || led === 'nowhere') led = 'to what went';
    thought = thinks;
  }
}

/** Only finds that there is nothing to repair. */
function planPatch(table: MessageTable): RowPlan | undefined {
  const pairs = pairRows(table);
  const isWhole = pairs !== undefined && !pairs.repeatsIds && !pairs.resultOf.includes(-1);
  return isWhole && !(table.joinsResults && hasResultsInARow(table)) ? 'same' : undefined;
}

function hasResultsInARow({ messages: { of, length } }: MessageTable): boolean {
  for (let row = 1; row < length; row++) if (of.role[row] === TOOL && of.role[row - 1] === TOOL) return true;
  return false;
}

function planTruncate(table: MessageTable, values: ValuesOf<typeof truncate>): RowPlan | undefined {
  const { usual, byTool } = limitsOf(values);
  if (byTool.length > 0 || !isForAllTools(values) || values.unit === 'tokens') return undefined;
  const { unit, keep, lang } = values;
  const { length, of } = table.results;
  let longest = 0;
  for (let result = 0; result < length; result++) longest = Math.max(longest, of.text[result]!);
  if (longest <= usual) return 'same';
  const pairs = keep === 'auto' ? pairRows(table) : undefined;
  if (keep === 'auto' && pairs === undefined) return undefined;
  const cutter = { measure: measureByUnit(NO_COUNTS.text)[unit], language: languageOf(lang), unit };
  const cut = (part: ResultPart, result: number) => {
    if (!canExceed(part, usual)) return part;
    const call = pairs?.callOf[result] ?? -1;
    const tool = call < 0 ? undefined : decodeString(table.sourceOfCall(call), table.calls.of.name[call]!);
    return cutResult(part, usual, cutter, () => keptEnds(keep, part, tool, table));
  };
  return changeResults(table, (result) => of.text[result]! > usual, cut);
}

function planClear(table: MessageTable, values: ValuesOf<typeof clear>, counts: Counts): RowPlan | undefined {
  const pairs = pairRows(table);
  if (pairs === undefined) return undefined;
  const count = Math.max(0, table.results.length - Math.max(0, values.keep));
  if (count === 0 || table.mostTokens() <= values.trigger) return 'same';
  const { trigger, clearAtLeast = 0, clearInputs, every, everything } = values;
  const least = leastSize(values);
  const needsSize = trigger > 0 || clearAtLeast > 0; // any request has more tokens than none, and no less cleared
  if (needsSize || clearInputs === true || every !== 1 || !isForAllTools(values)) return undefined;
  const goes = goingRows(table, pairs, { kept: Math.max(0, values.keep), every, everything });
  return changeResults(
    table,
    (result) => goes[result] === 1,
    (part) => (sizeOf(part) < least ? part : noted(part, clearedNote(part, values), counts)),
  );
}

function planDedupe(table: MessageTable, values: ValuesOf<typeof dedupe>, counts: Counts): RowPlan | undefined {
  const isPlain = isForAllTools(values) && typeof values.every === 'number' && values.lines !== true;
  const pairs = isPlain ? pairRows(table) : undefined;
  if (pairs === undefined) return undefined;
  const { every, everything, ignoreArg } = values;
  const goes = supersededRows(table, pairs, { every: every as number, everything, ignored: new Set(ignoreArg) });
  const text = REPEATED[languageOf(values.lang)];
  return changeResults(
    table,
    (result) => goes[result] === 1,
    (part) => noted(part, text, counts),
  );
}

/** `withNote`, which mostly needs to count the beginning of a text only. */
function noted(part: ResultPart, note: string, counts: Counts): ResultPart {
  const opening = openingOf(part);
  const shorter = opening && withNote(opening, note, counts);
  return shorter === undefined || shorter === opening ? withNote(part, note, counts) : shorter;
}

/** So much of a text mostly has more tokens than a note. */
const OPENING = 96;

/** The result without the end of its text, which has no more tokens: it ends at a word, so no token spans the cut. */
function openingOf(part: ResultPart): ResultPart | undefined {
  const [only, other] = part.content;
  if (only?.type !== 'text' || other !== undefined || longest(only.text) < 2 * OPENING) return undefined;
  const words = /^.*[a-z](?= [a-z])/s.exec(textOf(only.text).slice(0, OPENING))?.[0];
  return words === undefined ? undefined : { ...part, content: [{ ...only, text: words }] };
}

/** The table with some of its results changed. */
function changeResults(
  table: MessageTable,
  isChosen: (result: number) => boolean,
  change: (part: ResultPart, result: number) => ResultPart,
): RowPlan {
  const fates = new Uint8Array(table.messages.length);
  for (let i = 0; i < table.results.length; i++) if (isChosen(i)) fates[table.results.of.message[i]!] = CHANGES;
  const changed = (message: Message, row: number) => {
    let result = table.firstResult(row);
    return mapParts(message, (part) => {
      if (part.type !== 'result') return part;
      const index = result++;
      return isChosen(index) ? change(part, index) : part;
    });
  };
  return fates.includes(CHANGES) ? { fates, change: changed } : 'same';
}

function isForAllTools({ tool, excludeTool }: Record<'tool' | 'excludeTool', readonly string[]>): boolean {
  return tool.length === 0 && excludeTool.length === 0;
}
