/** Answers beside a request: texts in the objects around the messages, under the names that loggers give them. */
import { JsonNode } from '../../json/node.js';
import { ENTRY, KIND, OBJECT, STRING } from '../../json/scan.js';
import { decodeString, type JsonSource, Keys } from '../../json/strings.js';
import type { Message } from '../../transcript/types.js';
import { isIn } from './cover.js';
import type { Sign } from './signs.js';

/** As llm, datasets of prompts and completions, and logs of one's own have it: `{"messages": […], "response": "…"}`. */
const ANSWERS = new Keys(['response', 'output', 'completion', 'answer', 'reply', 'generated_text', 'prediction']);

/** The answers in the objects from the root to the messages of each transcript. */
export function answersBeside(
  root: JsonNode,
  lists: readonly (readonly Message[])[],
  cover: readonly number[],
): Sign[] {
  const signs = new Map<number, Sign>();
  for (const messages of lists) {
    const place = messages.find(({ raw }) => raw instanceof JsonNode && raw.source === root.source)?.raw as
      | JsonNode
      | undefined;
    if (place === undefined && messages.length === 0) continue;
    for (const at of answersAbove(root, place?.at ?? -1))
      if (!isIn(cover, at)) signs.set(at, { kind: 'text', node: new JsonNode(root.source, at) });
  }
  return [...signs.values()];
}

/** Tape indices, without a node for any value. `place`: the message; a negative one is somewhere else. */
function answersAbove({ source, at: root }: JsonNode, place: number): number[] {
  const { tape } = source;
  const found: number[] = [];
  for (let at: number | undefined = root; at !== undefined && at !== place; ) {
    const isObject = (tape[at]! & KIND) === OBJECT;
    const end = tape[at + 3]!;
    let around: number | undefined;
    for (let next = at + ENTRY; next < end; ) {
      const value: number = isObject ? next + ENTRY : next;
      const after = tape[value + 3]!;
      if (value <= place && place < after) around = value;
      if (isObject && (tape[value]! & KIND) === STRING && ANSWERS.indexOf(source, next) >= 0 && isAnswer(source, value))
        found.push(value);
      else if (!isObject && value > place) break;
      next = after;
    }
    at = around;
  }
  return found;
}

/** A label or a key is a single word. */
function isAnswer(source: JsonSource, at: number): boolean {
  return /\S\s+\S/.test(decodeString(source, at));
}
