/** Which results of a table `dedupe` replaces: those of calls that were made again. */
import { callKey } from '../../../json/canonical.js';
import { JsonNode } from '../../../json/node.js';
import { decodeString } from '../../../json/strings.js';
import type { MessageTable, RowPairs } from '../../../transcript/table.js';
import { wholeGroups } from '../../../transforms/pace.js';
import { PLANNING } from '../../../transforms/spoken-tools.js';
import { hasFailed, isSaidRow } from './staying.js';

interface Repeats {
  readonly every: number;
  readonly everything: boolean | undefined;
  /** Arguments that make no difference. */
  readonly ignored: ReadonlySet<string>;
}

/** By result: 1 if its call was made again later. */
export function supersededRows(table: MessageTable, pairs: RowPairs, repeats: Repeats): Uint8Array {
  const { every, everything, ignored } = repeats;
  const goes = new Uint8Array(table.results.length);
  const superseding = wholeGroups(goes.length, every); // results stand in the order in which calls were answered
  const seen = new Set<string>();
  const counts = callsByTool(table);
  for (let call = table.calls.length - 1; call >= 0; call--) {
    const result = pairs.resultOf[call]!;
    const tool = toolOf(table, call);
    if (result < 0 || counts.get(tool) === 1) continue; // what is made once repeats nothing
    if (everything !== true && isSaidRow(table, tool, result)) continue;
    const key = callKey({ tool, input: inputOf(table, call) }, (name, level) => level === 0 && ignored.has(name));
    if (seen.has(key)) goes[result] = 1;
    if (result < superseding) seen.add(key);
  }
  if (everything === true) return goes;
  keepLast(goes, superseding, (result) => hasFailed(table, result));
  // calls that are not answered in their order: the last plan may be repeated by the call of an earlier answer
  const isPlanned = [...PLANNING].some((tool) => counts.has(tool));
  if (isPlanned) keepLast(goes, superseding, (result) => PLANNING.has(toolOf(table, pairs.callOf[result]!)));
  return goes;
}

/** As `mayGo` has it. */
function keepLast(goes: Uint8Array, superseding: number, isOfKind: (result: number) => boolean): void {
  const first = goes.indexOf(1);
  if (first < 0) return;
  let last = superseding - 1;
  while (last >= first && !isOfKind(last)) last--;
  if (last >= first) goes[last] = 0;
}

function callsByTool(table: MessageTable): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let call = 0; call < table.calls.length; call++) {
    const tool = toolOf(table, call);
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return counts;
}

function toolOf(table: MessageTable, call: number): string {
  return decodeString(table.sourceOfCall(call), table.calls.of.name[call]!);
}

function inputOf(table: MessageTable, call: number): JsonNode | string {
  const at = table.calls.of.input[call]!;
  return at < 0 ? '' : new JsonNode(table.sourceOfCall(call), at);
}
