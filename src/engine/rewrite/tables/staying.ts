/** Which results of a table go: by their age, but not what stays by default. As `mayGo` has it for messages. */
import { JsonNode } from '../../../json/node.js';
import { decodeString } from '../../../json/strings.js';
import { ERROR_SAYING } from '../../../text/error-text.js';
import { type MessageTable, type RowPairs, SEVERAL } from '../../../transcript/table.js';
import { joinTexts, type Saying, textSays } from '../../../transcript/text.js';
import { type Due, inGroups } from '../../../transforms/pace.js';
import { ASKING, PLANNING, REFUSAL_SAYING } from '../../../transforms/spoken-tools.js';

interface Keeping {
  /** How many of the newest results stay. */
  readonly kept: number;
  readonly every: number;
  readonly everything: boolean | undefined;
}

/** By result: 1 if it goes. */
export function goingRows(table: MessageTable, pairs: RowPairs, keeping: Keeping): Uint8Array {
  const { length, of } = table.results;
  const { kept, every, everything } = keeping;
  const goes = new Uint8Array(length);
  const count = length - kept;
  if (count < every) return goes;
  const ready = everything === true ? new Float64Array(length) : readyRows(table, pairs, count, every);
  const dues: Due<number>[] = [];
  for (let what = 0; what < count; what++) {
    if (every === 1) goes[what] = Number(ready[what]! < NEVER);
    else dues.push({ what, ready: Math.max(ready[what]!, of.message[what + kept]!), frees: [] });
  }
  for (const { what } of inGroups(dues, every)(table.messages.length)) goes[what] = 1;
  return goes;
}

const NEVER = Number.POSITIVE_INFINITY;

/** From which message on each of the first `count` results may go; infinite if it stays. */
function readyRows(table: MessageTable, { callOf }: RowPairs, count: number, every: number): Float64Array {
  const { calls, results } = table;
  const ready = new Float64Array(results.length);
  let [plan, failure] = [NEVER, NEVER]; // the message of the next one
  for (let result = results.length - 1; result >= 0; result--) {
    const message = results.of.message[result]!;
    const call = callOf[result]!;
    const tool = decodeString(table.sourceOfCall(call), calls.of.name[call]!);
    const isOld = result < count;
    // in groups of one, only the last one matters
    const failed = (failure === NEVER || every > 1) && hasFailed(table, result);
    if (isOld && PLANNING.has(tool)) ready[result] = plan;
    if (isOld && failed) ready[result] = Math.max(ready[result]!, failure);
    if (PLANNING.has(tool)) plan = message;
    if (failed) failure = message;
    if (!isOld) continue;
    if (isSaidRow(table, tool, result)) ready[result] = NEVER;
  }
  return ready;
}

export function hasFailed(table: MessageTable, result: number): boolean {
  return table.flagsErrors ? table.results.of.failed[result] === 1 : says(table, result, ERROR_SAYING);
}

/** Whether a result is what a person said. */
export function isSaidRow(table: MessageTable, tool: string, result: number): boolean {
  return ASKING.has(tool) || says(table, result, REFUSAL_SAYING);
}

/** Whether a result says something: without a text it does not, and several may say anything together. */
function says(table: MessageTable, result: number, saying: Saying): boolean {
  const at = table.results.of.at[result]!;
  if (at === SEVERAL) return saying.says(joinTexts(table.readResult(result).content));
  return at >= 0 && textSays(new JsonNode(table.sourceOfResult(result), at), saying);
}
