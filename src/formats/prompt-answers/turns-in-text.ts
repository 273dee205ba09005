/**
 * A dialog in one text with a mark before each turn: `\n\nHuman: …\n\nAssistant: …`.
 * https://huggingface.co/datasets/Anthropic/hh-rlhf (2026-11-30)
 */
import type { Json } from '../../json/edit.js';
import { type JsonNode, parse } from '../../json/node.js';
import { printed, reparsed } from '../../json/print.js';
import type { EditableList, WrittenMessage } from '../shared/conversation.js';
import { plainText } from '../shared/embedded-messages.js';

const BEGINNING = /^\n\n(?:Human|Assistant):/;
const MARK = /\n\n(Human|Assistant): ?/g;

type Speaker = 'user' | 'assistant';
const MARKS = { user: '\\n\\nHuman: ', assistant: '\\n\\nAssistant: ' } as const;

interface Turn {
  readonly role: Speaker;
  /** The mark and the text as they are written: JSON without quotes. */
  readonly mark: string;
  readonly text: string;
}

/** The turns of a text; undefined if it does not begin with a mark. */
export function turnsInText(node: JsonNode): EditableList | undefined {
  if (!node.isString || !BEGINNING.test(node.text)) return undefined;
  const turns = turnsOf(node.text, node.json.slice(1, -1));
  const messages = turns.map(({ role, text }) => ({ lens: plainText(role), message: parse(`"${text}"`) }));
  return { messages, isList: true, replace: (written) => joined(written, turns) ?? listOf(written, turns) };
}

/** `spelled`: the text as it is written. */
function turnsOf(text: string, spelled: string): Turn[] {
  const marks = [...text.matchAll(MARK)];
  const offsets = offsetsIn(
    spelled,
    marks.flatMap(({ 0: mark, index }) => [index, index + mark.length]),
  );
  return marks.map((mark, index): Turn => {
    const [start, from, to] = [2 * index, 2 * index + 1, 2 * index + 2].map((at) => offsets[at] ?? spelled.length);
    const role = mark[1] === 'Human' ? 'user' : 'assistant';
    return { role, mark: spelled.slice(start, from), text: spelled.slice(from, to) };
  });
}

/** Where these ascending offsets of a text are in its spelling. Two are the same where a turn is empty. */
function offsetsIn(spelled: string, offsets: readonly number[]): number[] {
  const found: number[] = [];
  let at = 0;
  let unit = 0;
  for (const offset of offsets) {
    for (; unit < offset; unit++) at += spelled[at] !== '\\' ? 1 : spelled[at + 1] === 'u' ? 6 : 2;
    found.push(at);
  }
  return found;
}

/** The turns as one text; undefined if one of them is more than a text of one of both. */
function joined(written: readonly WrittenMessage[], turns: readonly Turn[]): Json | undefined {
  const pieces = written.map(({ message, from }) => {
    const turn = from === undefined ? undefined : turns[from];
    const { role, content } = turn === undefined ? added(message) : { role: turn.role, content: reparsed(message) };
    if (role === undefined || !content?.isString) return undefined;
    return `${turn?.mark ?? MARKS[role]}${content.json.slice(1, -1)}`;
  });
  return pieces.includes(undefined) ? undefined : parse(`"${pieces.join('')}"`);
}

function added(message: Json): { readonly role: Speaker | undefined; readonly content: JsonNode | undefined } {
  const node = reparsed(message);
  const role = node.get('role')?.string;
  const isPlain = node.isObject && node.members().length === 2 && (role === 'user' || role === 'assistant');
  return { role: isPlain ? role : undefined, content: node.get('content') };
}

function listOf(written: readonly WrittenMessage[], turns: readonly Turn[]): Json {
  return printed(
    written.map(({ message, from }) => (from === undefined ? message : { role: turns[from]!.role, content: message })),
  );
}
