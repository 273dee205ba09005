/** Answers beside a request: texts in the objects around the messages, under the names that loggers give them. */
import type { JsonNode } from '../../json/node.js';
import { ENTRY } from '../../json/scan.js';
import { Keys } from '../../json/strings.js';
import { firstFrom } from '../../lists.js';
import { isIn } from './cover.js';
import type { Sign } from './signs.js';

/** As llm, datasets of prompts and completions, and logs of one's own have it: `{"messages": […], "response": "…"}`. */
const ANSWERS = new Keys(['response', 'output', 'completion', 'answer', 'reply', 'generated_text', 'prediction']);

/** `places`: tape indices of the messages in ascending order; none if they stand in another source. */
export function answersBeside(root: JsonNode, places: readonly number[], cover: readonly number[]): Sign[] {
  const signs: Sign[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const first = places[firstFrom(places, node.at)];
    const isAround = first !== undefined && first < node.source.tape[node.at + 3]!;
    const isMessage = first === node.at || (node.isArray && first === node.at + ENTRY); // or a list of them
    if (isMessage || !(isAround || node === root)) continue;
    if (isAround)
      for (const child of [...node.items(), ...node.members().map(({ value }) => value)]) pending.push(child);
    for (const at of node.find(ANSWERS)) {
      const value = node.nodeAt(at);
      // a label or a key is a single word
      if (value?.isString && /\S\s+\S/.test(value.text) && !isIn(cover, at)) signs.push({ kind: 'text', node: value });
    }
  }
  return signs;
}
