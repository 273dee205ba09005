/**
 * What becomes of small recordings with one value changed: what is read, counted, found by rules, mended, rewritten and
 * saved, as a sum for each, in variants.txt. `UPDATE=1` writes it anew: a line that changes says for which recordings a
 * change of the code is one for users.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import { EDITS, SILENCE } from '../../src/plugin/edits.js';
import { providerOf, providers } from '../../src/rules/providers.js';
import { mapMessages } from '../../src/transcript/edit.js';
import type { Message } from '../../src/transcript/types.js';
import { examine } from '../shared/examined.js';
import { factsOf, plain, sum } from '../shared/facts.js';
import { isJson } from '../shared/is-json.js';
import { openText } from '../shared/opened.js';
import { recordedStats } from '../shared/recorded-stats.js';
import { fixtures } from '../shared/recordings.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { type Variant, variantsOf } from '../shared/variants.js';

const KEPT = 'test/formats/variants.txt';
const LARGEST = 7000;
/** Of each fixture. */
const MOST = 4;

const STEPS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['filter', { maxToolCalls: 1 }],
  ['patch', {}],
  ['truncate', { maxLength: 8 }],
  ['clear', { trigger: 0, keep: 0 }],
  ['dedupe', {}],
  ['strip', {}],
  ['strip', { keepText: true, keepToolNames: true }],
  ['filter', { maxToolCalls: 0, dropUser: true }],
  ['inject', { user: 'Go on.' }],
];
const CHANGES = Object.values({ ...EDITS, ...SILENCE });

const UPDATES = process.env['UPDATE'] !== undefined;
const kept = new Map(
  readFileSync(KEPT, 'utf8')
    .split('\n')
    .map((line) => [line.split(': ')[0], line]),
);
const lines: string[] = [];

describe('small recordings with one value changed', () => {
  it.each(fixtures().filter(({ bytes }) => bytes.length <= LARGEST))('$name', ({ name, bytes, format }) => {
    const variants = variantsOf(bytes.toString(), MOST);
    const first = Number.parseInt(sum(name), 16);
    const line = `${name}: ${variants.map((variant, index) => told(variant, format!, first + index)).join('; ')}`;
    lines.push(line);
    if (!UPDATES) expect(line).toBe(kept.get(name));
  });
});

afterAll(() => {
  if (UPDATES) writeFileSync(KEPT, `${lines.join('\n')}\n`);
});

function told({ what, text }: Variant, format: string, turn: number): string {
  const all = refusedOr(() => allOf(text, format, turn));
  return `${what} ${sum(JSON.stringify(all, plain))}`;
}

function allOf(text: string, format: string, turn: number): unknown {
  const { detection, transcripts } = openText(text);
  const [step, options] = STEPS[turn % STEPS.length]!;
  const provider = providerOf(format, transcripts[0]?.model) ?? providers[turn % providers.length]!;
  const edit = CHANGES[turn % CHANGES.length]!;
  const edited = (message: Message) => (message.role === 'meta' ? message : edit(message));
  return [
    detection.format.id,
    transcripts.map(factsOf),
    recordedStats(text),
    refusedOr(() => judged(text, provider.id, turn % 2 === 0, detection.format.id)),
    refusedOr(() => parsable(rewriteText(text, step, options), text)),
    refusedOr(() =>
      parsable(
        mapText(text, (one) => mapMessages(one, edited)),
        text,
      ),
    ),
  ];
}

/** What is written of JSON, or of lines of it, is that again, by the judgment of Node. */
function parsable(written: string, text: string): string {
  const isLines = (lines: string) => lines.split('\n').every((line) => !line.startsWith('{') || isJson(line));
  if (isJson(text)) expect(written).toSatisfy(isJson);
  else if (isLines(text)) expect(written).toSatisfy(isLines);
  return written;
}

function judged(text: string, provider: string, asRequest: boolean, from: string): unknown {
  const { findings, mended } = examine(text, provider, { asRequest, from });
  return [findings.map(({ rule, text: said }) => [rule.id, said]), refusedOr(() => parsable(mended(), text))];
}

/** What is refused says why; anything else is an error of ours. */
function refusedOr<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    return `refused: ${error.message}`;
  }
}
