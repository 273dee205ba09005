/** What must hold of a conversion: it opens as what it was to be, and what is not in it was said. */
import { isConverted, targetNamed } from '../../src/conversion/convert.js';
import { formats } from '../../src/formats/index.js';
import { textOf } from '../../src/transcript/text.js';
import type { ContentPart, Part } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import type { Ran } from './run.js';

export const TARGETS = formats.filter((entry) => entry.load().encode !== undefined).map(({ id }) => id);

export function conversionFaults(to: string, input: Buffer, { code, stdout }: Ran): string[] {
  if (code === 2 || stdout.length === 0) return [];
  const output = stdout.toString();
  const values = valuesIn(output);
  if (values === undefined) return ['the conversion is not JSON'];
  let opened: ReturnType<typeof openText>;
  try {
    opened = openText(output, { from: targetNamed(to).id });
  } catch (error) {
    return [`the conversion does not open as ${to}: ${(error as Error).message}`];
  }
  const before = openText(input).transcripts.filter(isConverted);
  if (opened.transcripts.length !== before.length)
    return [`${before.length} transcripts became ${opened.transcripts.length}`];
  if (code !== 0) return []; // a loss was said
  const words = values.flatMap((value) => [...wordsIn(value)]);
  const kept = new Set(words);
  const text = words.join(''); // parts may be joined to one
  const said = before.flatMap(({ messages }) =>
    messages.flatMap(({ role, parts }) => (role === 'meta' ? [] : parts.flatMap(textsOf))),
  );
  const lost = said.flatMap((one) => [...wordsIn(one)]).filter((word) => !kept.has(word) && !text.includes(word));
  return lost.length === 0 ? [] : [`words are lost in silence: ${lost.slice(0, 5).join(' ')}`];
}

/** A JSON document, or one a line. */
function valuesIn(text: string): unknown[] | undefined {
  for (const pieces of [[text], text.split('\n').filter((line) => line !== '')])
    try {
      return pieces.map((piece) => JSON.parse(piece) as unknown);
    } catch {}
  return undefined;
}

function textsOf(part: Part | ContentPart): string[] {
  if (part.type === 'text') return [textOf(part.text)];
  if (part.type === 'call') return [part.tool, textOf(part.input)];
  if (part.type === 'result') return part.content.flatMap(textsOf);
  return [];
}

/** The words of all its texts and names; a text that is JSON is looked into, as arguments may be one or a value. */
function* wordsIn(value: unknown): Iterable<string> {
  if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) yield* [...wordsIn(key), ...wordsIn(member)];
  else if (typeof value === 'string') {
    const inner = /^\s*[{["]/.test(value) ? valuesIn(value) : undefined;
    if (inner !== undefined) yield* inner.flatMap((one) => [...wordsIn(one)]);
    else yield* value.match(/[\p{L}\p{N}]+/gu) ?? [];
  } else yield String(value);
}
