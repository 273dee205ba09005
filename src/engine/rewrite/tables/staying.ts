/** Which results of a table go: by their age, but not what stays by default. As `mayGo` has it for messages. */
import { JsonNode } from '../../../json/node.js';
import { decodeString } from '../../../json/strings.js';
import { looksLikeError, mayLookLikeError } from '../../../text/error-text.js';
import { type MessageTable, type RowPairs, SEVERAL } from '../../../transcript/table.js';
import { type Saying, textSays } from '../../../transcript/text.js';
import { type Due, inGroups } from '../../../transforms/pace.js';
import { ASKING, isRefusal, mayBeRefusal, PLANNING } from '../../../transforms/spoken-tools.js';

interface Keeping {
  /** How many of the newest results stay. */
  readonly kept: number;
  readonly every: number;
  readonly everything: boolean | undefined;
}

/** By result: 1 if it goes. Undefined if a result has to be read as a message to know. */
export function goingRows(table: MessageTable, pairs: RowPairs, keeping: Keeping): Uint8Array | undefined {
  const { length, of } = table.results;
  const { kept, every, everything } = keeping;
  const goes = new Uint8Array(length);
  const count = length - kept;
  if (count < every) return goes;
  const ready = everything === true ? new Float64Array(length) : readyRows(table, pairs, count, every);
  if (ready === undefined) return undefined;
  const dues: Due<number>[] = [];
  for (let what = 0; what < count; what++) {
    if (every === 1) goes[what] = Number(ready[what]! < NEVER);
    else dues.push({ what, ready: Math.max(ready[what]!, of.message[what + kept]!), frees: [] });
  }
  for (const { what } of inGroups(dues, every)(table.messages.length)) goes[what] = 1;
  return goes;
}

const NEVER = Number.POSITIVE_INFINITY;
const FAILS: Saying = { may: mayLookLikeError, says: looksLikeError };
const REFUSES: Saying = { may: mayBeRefusal, says: isRefusal };

/** From which message on each of the first `count` results may go; infinite if it stays. */
function readyRows(table: MessageTable, { callOf }: RowPairs, count: number, every: number): Float64Array | undefined {
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
    if (failed === undefined) return undefined;
    if (isOld && PLANNING.has(tool)) ready[result] = plan;
    if (isOld && failed) ready[result] = Math.max(ready[result]!, failure);
    if (PLANNING.has(tool)) plan = message;
    if (failed) failure = message;
    if (!isOld) continue;
    const isSaid = isSaidRow(table, tool, result);
    if (isSaid === undefined) return undefined;
    if (isSaid) ready[result] = NEVER;
  }
  return ready;
}

/** Undefined for several texts: they may say anything together. */
function hasFailed(table: MessageTable, result: number): boolean | undefined {
  const { failed, at } = table.results.of;
  if (table.flagsErrors) return failed[result] === 1;
  return at[result] === SEVERAL ? undefined : says(table, result, FAILS);
}

/** Whether a result is what a person said. Undefined if it has to be read to know. */
export function isSaidRow(table: MessageTable, tool: string, result: number): boolean | undefined {
  return ASKING.has(tool) || isRefused(table, result);
}

function isRefused(table: MessageTable, result: number): boolean | undefined {
  return table.results.of.at[result] === SEVERAL ? undefined : says(table, result, REFUSES);
}

/** Whether the text of a result says something; one that is missing does not. */
function says(table: MessageTable, result: number, saying: Saying): boolean {
  const at = table.results.of.at[result]!;
  return at >= 0 && textSays(new JsonNode(table.sourceOfResult(result), at), saying);
}
