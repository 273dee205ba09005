/** Whether something in a table stays that would be gone by its age alone: as `mayGo` has it for messages. */
import { decodeString } from '../../../json/strings.js';
import { looksLikeError } from '../../../text/error-text.js';
import { type MessageTable, type RowPairs, SEVERAL } from '../../../transcript/table.js';
import { ASKING, PLANNING, REFUSALS } from '../../../transforms/spoken-tools.js';

interface Keeping {
  readonly every: number;
  readonly everything: boolean | undefined;
}

/**
 * Whether one of the first `count` results may stay, or go later than by its place. `every`: in groups, all plans and
 * failures go later.
 */
export function mayStay(
  table: MessageTable,
  { callOf }: RowPairs,
  count: number,
  { every, everything }: Keeping,
): boolean {
  if (everything === true) return false;
  let [needsPlan, needsFailure] = [true, true];
  for (let result = table.results.length - 1; result >= 0; result--) {
    const goes = result < count;
    const tool = decodeString(table.source, table.calls.of.name[callOf[result]!]!);
    const isPlan = needsPlan && PLANNING.has(tool);
    const hasFailed = needsFailure && mayHaveFailed(table, result);
    if (goes && (isPlan || hasFailed || ASKING.has(tool) || mayBeRefused(table, result))) return true;
    if (hasFailed && table.results.of.at[result] === SEVERAL) return true;
    needsPlan &&= !isPlan || every > 1;
    needsFailure &&= !hasFailed || every > 1;
  }
  return false;
}

/** Several texts may say anything together. */
function mayHaveFailed({ source, results: { of }, flagsErrors }: MessageTable, result: number): boolean {
  const at = of.at[result]!;
  if (flagsErrors) return of.failed[result] === 1;
  return at === SEVERAL || (at >= 0 && looksLikeError(decodeString(source, at)));
}

function mayBeRefused({ source, results: { of } }: MessageTable, result: number): boolean {
  const at = of.at[result]!;
  if (at < 0) return at === SEVERAL;
  const [start, end] = [source.tape[at + 1]! + 1, source.tape[at + 2]! - 1];
  const head = source.bytes.latin1Slice(start, Math.min(end, start + HEAD));
  return REFUSALS.test(head.includes('\\u') ? decodeString(source, at) : head);
}

/** Bytes that spell at least as many characters as `isSaid` looks at. */
const HEAD = 1800;
