/** Answers beside a request: texts in the objects around the messages, under the names that loggers give them. */
import type { JsonNode } from '../../json/node.js';
import { ARRAY, ENTRY, KIND, OBJECT } from '../../json/scan.js';
import { Keys } from '../../json/strings.js';
import { firstFrom } from '../../lists.js';
import { answerIn } from './answers.js';
import { isIn } from './cover.js';
import type { Sign } from './signs.js';

/** As llm, datasets of prompts and completions, and logs of one's own have it: `{"messages": […], "response": "…"}`. */
const ANSWERS = new Keys([
  'response',
  'response_body',
  'output',
  'completion',
  'answer',
  'reply',
  'generated_text',
  'prediction',
]);

/** `places`: tape indices of the messages in ascending order; none if they stand in another source. */
export function answersBeside(root: JsonNode, places: readonly number[], cover: readonly number[]): Sign[] {
  const signs: Sign[] = [];
  const { tape } = root.source;
  if (isMessage(tape, root.at, places)) return signs;
  const pending = [root.at];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    addAround(tape, at, places, pending);
    const node = root.nodeAt(at)!;
    for (const answer of node.find(ANSWERS)) {
      const value = answer < 0 ? undefined : answerIn(node.nodeAt(answer)!);
      if (value === undefined || isIn(cover, value.at)) continue;
      const first = places[firstFrom(places, value.at)];
      if (first === undefined || first >= tape[value.at + 3]!) signs.push({ kind: 'text', node: value });
    }
  }
  return signs;
}

/** Adds the values right inside of one that stand around messages. Over the tape: most hold none. */
function addAround(tape: Int32Array, holder: number, places: readonly number[], pending: number[]): void {
  const end = tape[holder + 3]!;
  const toValue = (tape[holder]! & KIND) === OBJECT ? ENTRY : 0;
  for (let value = holder + ENTRY + toValue; value < end; value = tape[value + 3]! + toValue) {
    const first = places[firstFrom(places, value)];
    if (first !== undefined && first < tape[value + 3]! && !isMessage(tape, value, places)) pending.push(value);
  }
}

/** Whether a value is a message, or a list of them. */
function isMessage(tape: Int32Array, at: number, places: readonly number[]): boolean {
  const first = places[firstFrom(places, at)];
  return first === at || ((tape[at]! & KIND) === ARRAY && first === at + ENTRY);
}
