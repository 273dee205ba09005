/** Recordings whose links go round, as damaged files have them: they are read and written to an end, or refused. */
import { expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import type { Message } from '../../src/transcript/types.js';
import { ALL } from '../shared/effort.js';
import { lawful } from '../shared/lawful.js';
import { openText } from '../shared/opened.js';
import { fixtures } from '../shared/recordings.js';
import { mapText } from '../shared/rewrite-text.js';

type Json = Record<string, unknown>;

const LARGEST = 60_000;
/** So many records of a recording are linked to themselves, and so many pairs to each other. */
const MOST = ALL ? 6 : 1;
const IDS = ['uuid', 'id', 'messageId', 'message_id', 'span_id', 'spanId', 'run_id', 'runId'];
const POINTER = /parent|prev|next|reply|leaf|from|ref|origin/i;

const EDITS: Readonly<Record<string, (messages: readonly Message[]) => readonly Message[]>> = {
  'nothing is left': () => [],
  'the end is left': (messages) => messages.slice(messages.length >> 1),
  'the beginning is left': (messages) => messages.slice(0, messages.length >> 1),
  'every second message is left': (messages) => messages.filter((_, index) => index % 2 === 1),
};

function valuesIn(text: string): { readonly values: readonly unknown[]; readonly end: string } {
  try {
    return { values: [JSON.parse(text)], end: '' };
  } catch {
    return { values: text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])), end: '\n' };
  }
}

function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [value as Json]), ...Object.values(value).flatMap(objectsIn)];
}

/** The text with links that go round, one circle at a time. */
function* circlesIn(text: string): Generator<readonly [what: string, text: string]> {
  const { values, end } = valuesIn(text);
  const objects = values.flatMap(objectsIn);
  const byId = new Map<unknown, Json>();
  const idOf = new Map<Json, string>();
  for (const object of objects)
    for (const id of IDS.map((key) => object[key]))
      if (typeof id === 'string' && !byId.has(id)) {
        byId.set(id, object);
        idOf.set(object, id);
      }
  const keys = new Set(objects.flatMap((object) => Object.keys(object).filter((key) => POINTER.test(key))));
  for (const key of keys) {
    const linked = objects.filter((object) => byId.has(object[key]) && idOf.has(object));
    for (const [at, one] of linked.slice(0, MOST).entries())
      for (const other of new Set([one, linked[at + 1] ?? one, linked.at(-1)!])) {
        const [before, beforeOther] = [one[key], other[key]];
        [one[key], other[key]] = [idOf.get(other), idOf.get(one)];
        yield [
          `${key} of ${idOf.get(one)} and ${idOf.get(other)}`,
          values.map((v) => JSON.stringify(v) + end).join(''),
        ];
        [one[key], other[key]] = [before, beforeOther];
      }
  }
}

it('end, or are refused', () => {
  const faults: string[] = [];
  let circles = 0;
  for (const { name, bytes } of fixtures()) {
    if (bytes.length > LARGEST || !/^\s*[[{]/.test(bytes.toString())) continue;
    let made: (readonly [string, string])[];
    try {
      made = [...circlesIn(bytes.toString())];
    } catch {
      continue; // not JSON
    }
    for (const [what, text] of made) {
      circles++;
      const tried = (how: string, run: () => unknown) => {
        try {
          run();
        } catch (error) {
          if (!isTranscriptError(error)) faults.push(`${name}, ${what}, ${how}: ${error}`);
        }
      };
      tried('read', () => openText(text));
      for (const [how, edit] of Object.entries(EDITS))
        tried(how, () => mapText(Buffer.from(text), (whole) => ({ ...whole, messages: edit(whole.messages) })));
    }
  }
  expect(circles).toBeGreaterThan(50);
  lawful(faults);
});
