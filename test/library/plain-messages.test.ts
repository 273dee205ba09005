/** Lists of JavaScript values: they come out as their JSON would, and what is not changed is the same object. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run, type StepName } from '../../src/index.js';
import { JsonNode } from '../../src/json/node.js';
import { openPlainRow } from '../../src/source/containers/plain-row.js';
import { open } from '../../src/source/recording.js';
import { runs } from '../shared/random-runs.js';
import { fixtures, type Recording, sampled, sharedRecordings } from '../shared/recordings.js';

const STEPS: readonly StepName[] = [
  'patch',
  'filter:max-tool-calls=1',
  'filter:max-tool-calls=2,every=2',
  'truncate:max-length=50,no-minimum',
  'clear:trigger=0,keep=1,clear-inputs',
  'dedupe',
  'stale:reads,edits',
  'retries',
  'prune:reasoning,images,empty,records',
  'strip:keep-text,retry-prompt',
  'fit:max-tokens=400,low-water=0.5',
  { transform: 'inject', system: 'Be brief.', user: 'Go on.' },
];
const countTokens = (text: string) => text.length / 4;

/** A longer list shows nothing more. */
const MOST_MESSAGES = 80;

describe('a list of values comes out as its JSON does', () => {
  for (const recording of sampled([...fixtures(), ...sharedRecordings()], 'plain-messages'))
    it(recording.name, () => {
      for (const { from, values } of listsIn(recording)) {
        const row = openPlainRow(values, { from });
        if (row === undefined) continue;
        const before = JSON.stringify(values);
        for (const step of STEPS)
          expect(outcome(values, step, from), JSON.stringify(step)).toEqual(fromText(before, step, from));
        expect(JSON.stringify(values)).toBe(before);
      }
    });
});

it('is how nearly all lists of messages are read', () => {
  const lists = fixtures().flatMap(listsIn);
  const others = lists.filter(({ from, values }) => openPlainRow(values, { from }) === undefined);
  expect(others.length / lists.length).toBeLessThan(0.05);
});

it('forgets what was read of a message that a program changes in place', () => {
  const [{ from, values }] = listsIn(fixtures().find(({ name }) => name === 'openai-chat/hand-calls.json')!) as [List];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(4)), { maxLength: 8 }), (edits) => {
      const list = structuredClone(values) as Record<string, unknown>[];
      for (const [message, other, kind] of edits) {
        const at = message % list.length;
        if (kind === 0) list.splice(at, 1, structuredClone(list[other % list.length]!));
        else if (kind === 1)
          list.push(list[at]!); // the same object twice
        else if (kind === 2 && list.length > 2) list.splice(at, 1);
        else if (kind === 3) Object.assign(list[at]!, { content: `changed ${other}` });
        else for (const call of (list[at]!['tool_calls'] ?? []) as { id: string }[]) call.id = `call_${other % 3}`;
        for (const step of ['patch', 'filter:max-tool-calls=1', 'truncate:max-length=9,no-minimum'])
          expect(outcome(list, step, from)).toEqual(fromText(JSON.stringify(list), step, from));
      }
    }),
    runs(0.02),
  );
});

interface List {
  readonly from: string;
  readonly values: object[];
}

function listsIn({ bytes }: Recording): List[] {
  const { format: from, transcripts } = open(bytes);
  return transcripts.slice(0, 3).flatMap(({ messages }) => {
    const raws = messages.slice(0, MOST_MESSAGES).map(({ raw }) => raw);
    if (raws.length === 0 || !raws.every((raw) => raw instanceof JsonNode && raw.isObject)) return [];
    return [{ from, values: raws.map((raw) => (raw as JsonNode).toJSON() as object) }];
  });
}

/** The result, or the error. Messages that did not change must be the same objects. */
function outcome(values: readonly object[], step: StepName, from: string): unknown {
  try {
    const after = run(values, [step], { from, countTokens });
    const own = new Set(values);
    const copies = new Set(after.filter((value) => !own.has(value)).map((value) => JSON.stringify(value)));
    expect(values.filter((value) => !after.includes(value) && copies.has(JSON.stringify(value)))).toEqual([]);
    return JSON.parse(JSON.stringify(after));
  } catch (error) {
    return (error as Error).message;
  }
}

function fromText(text: string, step: StepName, from: string): unknown {
  try {
    return JSON.parse(run(text, [step], { from, countTokens }));
  } catch (error) {
    return (error as Error).message;
  }
}
