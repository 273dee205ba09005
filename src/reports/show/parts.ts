/** The parts of a message as lines. */
import { joined, type SafeText, safe, shown } from '../../safe/text.js';
import { textOf } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  Message,
  OpaquePart,
  Part,
  ResultPart,
} from '../../transcript/types.js';
import { wrap } from '../wrap.js';
import { argumentsIn } from './arguments.js';
import { type Folding, foldedLines } from './fold.js';
import { markdownLines } from './markdown.js';

export interface PartLook extends Folding {
  /** Columns of a line; Infinity does not break lines. */
  readonly width: number;
}

/** Lines of a result, of an argument and of reasoning that are shown before the rest is folded. */
const MOST = { result: 12, argument: 12, thinking: 6, system: 20 } as const;
const INDENT = safe`    `;

/** `tools`: the tools of the calls and results of the message, in their order. */
export function partsLines({ parts, role }: Message, tools: readonly string[], look: PartLook): SafeText[] {
  if (parts.length === 0) return [look.style.dim(safe`(empty)`)];
  const results = parts.filter(({ type }) => type === 'result').length;
  let at = 0;
  return parts.flatMap((part): SafeText[] => {
    if (part.type === 'call') at++;
    if (part.type !== 'result') return partLines(part, role, look);
    return resultLines(part, results > 1 || role !== 'tool' ? (tools[at++] ?? '') : undefined, look);
  });
}

/** Texts of people and models are never folded, system prompts are. */
function partLines(part: Exclude<Part, ResultPart>, role: string, look: PartLook): SafeText[] {
  switch (part.type) {
    case 'text':
      return textLines(textOf(part.text), role, look);
    case 'thinking':
      return plainLines(textOf(part.text), MOST.thinking, look).map(look.style.dim);
    case 'call':
      return callLines(part, look);
    default:
      return otherLines(part, look);
  }
}

function textLines(text: string, role: string, look: PartLook): SafeText[] {
  if (role === 'tool' || role === 'meta') return plainLines(text, MOST.result, look);
  if (role === 'system') return plainLines(text, MOST.system, look);
  return markdownLines(linesOf(text), look.style, look.width);
}

function linesOf(text: string): string[] {
  return text
    .replace(/\s+$/, '')
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', '    '));
}

function plainLines(text: string, most: number, look: PartLook): SafeText[] {
  return foldedLines(text, most, look).flatMap((line) => {
    const lines = wrap(line, look.width);
    return lines.length === 0 ? [safe``] : lines;
  });
}

function callLines({ tool, callId, input }: CallPart, look: PartLook): SafeText[] {
  const id = callId === undefined || !look.full ? safe`` : look.style.dim(safe`  ${shown(callId)}`);
  const name = safe`${look.style.name(safe`→ ${shown(tool)}`)}${id}`;
  return [name, ...argumentLines(textOf(input), look).map((line) => safe`${INDENT}${line}`)];
}

/** One line for each argument; a text of several lines below its name. */
function argumentLines(input: string, look: PartLook): SafeText[] {
  const inner = { ...look, width: look.width - INDENT.length };
  const args = argumentsIn(input);
  if (args === undefined) return input.trim() === '' ? [] : plainLines(input, MOST.argument, inner);
  return args.flatMap(({ name, text }) => {
    if (!text.includes('\n')) return plainLines(`${name}: ${text}`, 1, inner);
    const below = { ...inner, width: inner.width - INDENT.length };
    return [safe`${shown(name)}:`, ...plainLines(text, MOST.argument, below).map((line) => safe`${INDENT}${line}`)];
  });
}

/** `tool`: named before the result if the heading of the message does not tell it. */
function resultLines({ callId, content, isError }: ResultPart, tool: string | undefined, look: PartLook): SafeText[] {
  const { style, full } = look;
  const words = [
    ...(tool === undefined ? [] : [style.dim(safe`← ${shown(tool)}`)]),
    ...(isError === true ? [style.removed(safe`error`)] : []),
    ...(callId === undefined || !full ? [] : [style.dim(shown(callId))]),
  ];
  const heading = words.length === 0 ? [] : [joined(words, '  ')];
  return [...heading, ...content.flatMap((part) => contentLines(part, look))];
}

function contentLines(part: ContentPart, look: PartLook): SafeText[] {
  return part.type === 'text' ? plainLines(textOf(part.text), MOST.result, look) : otherLines(part, look);
}

/** Media by their kind; a part that the format does not know, as the value that it is. */
function otherLines(part: MediaPart | OpaquePart, look: PartLook): SafeText[] {
  if (part.type === 'media') return [look.style.dim(safe`[${shown(part.kind)}]`)];
  return part.text === undefined ? [look.style.dim(safe`[…]`)] : argumentLines(textOf(part.text), look);
}
