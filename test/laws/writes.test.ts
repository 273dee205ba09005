/**
 * Promise 2, at the providers: what we write is never a request that fails. Histories that a provider takes, changed
 * by every transform and converted to every target, are judged by its rules as requests, by its published schema and
 * by a plain judge of the order of messages.
 */
import { describe, it } from 'vitest';
import { conversionText, convert, targetNamed } from '../../src/conversion/convert.js';
import { formatNamed } from '../../src/formats/index.js';
import { defaultsOf, type Options, type Values } from '../../src/options/option.js';
import { guardOf } from '../../src/policy/guard.js';
import { rules } from '../../src/rules/index.js';
import { providerNamed } from '../../src/rules/providers.js';
import { rulesFor, runRules, severityOf } from '../../src/rules/run-rules.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { transformNamed } from '../../src/transforms/index.js';
import { rewriteBy } from '../../src/transforms/pipeline.js';
import { lawful } from '../shared/lawful.js';
import { openText } from '../shared/opened.js';
import { orderFaults } from '../shared/plain-judge.js';
import { type Random, randomFrom } from '../shared/random-histories.js';
import { CHARACTERS } from '../shared/rewrite-text.js';
import { judged, refused } from '../shared/schemas.js';
import { forEveryTransform } from '../shared/trials.js';
import { SENT, validHistory } from '../shared/valid-histories.js';

/** `HISTORIES=10000 npx vitest run test/laws/writes.test.ts` tries so many for each provider. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 25);
/** Of all changes one of this number is tried on a history, by turns: fewer in the suite. */
const PART = process.env['HISTORIES'] === undefined ? 40 : 8;
const NAMES = Object.keys(SENT);

/** What is wrong, and where. */
type Found = readonly [fault: string, where: string];

const EXAMPLES: readonly Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'What did we say?' }] },
  { role: 'assistant', parts: [{ type: 'call', callId: 'example01', tool: 'search', input: '{"q":"x"}' }] },
  {
    role: 'tool',
    parts: [{ type: 'result', callId: 'example01', tool: 'search', content: [{ type: 'text', text: 'This.' }] }],
  },
  { role: 'assistant', parts: [{ type: 'text', text: 'This.' }] },
];
const POLICY = guardOf({ version: 1, rules: [{ id: 'a', type: 'max_calls', tool: '*', max: 1 }] });

const STEPS = forEveryTransform([
  ['patch', {}],
  ['filter', { maxToolCalls: 0 }],
  ['filter', { maxToolCalls: 0, dropUser: true, pending: 'drop' }],
  ['filter', { maxToolCalls: 1 }],
  ['filter', { maxToolCalls: 1, unit: 'round', dropUser: true }],
  ['filter', { maxToolCalls: 3, pending: 'drop' }],
  ['filter', { maxToolCalls: 0, tool: ['run'], dropUser: true }],
  ['filter', { maxToolCalls: 1, scope: 'history', every: 2 }],
  ['truncate', { maxLength: 80, noMinimum: true }],
  ['truncate', { maxLength: 0, noMinimum: true, keep: 'tail' }],
  ['clear', { trigger: 0, keep: 0, clearInputs: true }],
  ['clear', { trigger: 0, keep: 1, excludeTool: ['run'] }],
  ['dedupe', {}],
  ['dedupe', { ignoreArg: ['q', 'n', 'path'], every: 2 }],
  ['stale', { pathArg: ['read_file=path'] }],
  ['retries', { drop: true }],
  ['prune', { reasoning: true, images: true, empty: true, records: true }],
  ['fit', { maxTokens: 400 }],
  ['fit', { maxTokens: 900, unit: 'round' }],
  ['fit', { maxTokens: 700, unit: 'round', keepFirstUser: true }],
  ['fit', { maxTokens: 700, strategy: 'first' }],
  ['strip', {}],
  ['strip', { keepText: true }],
  ['strip', { keepToolNames: true, retryPrompt: true, tool: ['run'] }],
  ['strip', { keepText: true, keepToolNames: true, retryPrompt: 'Not {tools}.' }],
  ['inject', { user: 'Go on.' }],
  ['inject', { system: 'Be careful.', user: 'Go on.', fewShot: EXAMPLES }],
  ['inject', { fewShot: EXAMPLES.slice(0, 3) }],
  ['guard', { policy: POLICY }],
]);

describe.each(NAMES)('%s', (name) => {
  const histories = Array.from({ length: HISTORIES }, (_, at) => JSON.stringify(validHistory(name, at + 1)));
  const tryAll = (tries: (text: string, at: number) => readonly Found[]) => summed(histories.flatMap(tries));

  it('takes the histories', () => {
    lawful(tryAll((text) => faultsAt(name, text).map((fault) => [fault, text])));
  });

  it('takes what transforms make of them', () => {
    const found = tryAll((text, at) =>
      STEPS.flatMap(([id, options], index) => ((at + index) % PART === 0 ? rewritten(name, text, id, options) : [])),
    );
    lawful(found);
  });

  it('has no unpaired call or result after patch, however broken the history was', () => {
    const found = tryAll((text, at) => {
      const worse = broken(text, randomFrom(at + 1));
      const after = changed(name, worse, stepOf('patch', {}));
      return faultsAt(name, after, false, PAIRING).map((fault) => [fault, `${after} of ${worse}`]);
    });
    lawful(found);
  });

  it.each(NAMES.filter((to) => to !== 'gemma'))('is taken by %s when it was converted', (to) => {
    const found = tryAll((text, at) => {
      if ((at + NAMES.indexOf(to)) % PART !== 0) return [];
      const after = converted(text, name, to);
      return faultsAt(to, after).map((fault) => [fault, `${after} of ${text}`]);
    });
    lawful(found);
  });
});

/** How often each fault was found, and where first. */
function summed(found: readonly Found[]): string[] {
  const counts = new Map<string, number>();
  for (const [fault] of found) counts.set(fault.slice(0, 70), (counts.get(fault.slice(0, 70)) ?? 0) + 1);
  return [...counts].map(([fault, count]) => {
    const [whole, where] = found.find(([one]) => one.startsWith(fault))!;
    return `${count} x ${whole} in ${where}`;
  });
}

/** Rules that say which result belongs to which call. */
const PAIRING =
  /orphan|unanswered|result-(?:duplicate|excess|missing|id-not)|response-count|(?:output|call)-missing|call-response/;

/** The history with one to three messages of calls or results dropped, doubled, moved or in another order. */
function broken(text: string, random: Random): string {
  const record = JSON.parse(text) as Record<string, unknown> | unknown[];
  const list = [...((Array.isArray(record) ? record : listIn(record)) as readonly unknown[])];
  for (let times = 1 + random(3); times > 0; times--) {
    const held = [...list.keys()].filter((at) => /call|tool_?use|response|result/i.test(JSON.stringify(list[at])));
    const at = held[random(held.length)];
    if (at === undefined) break;
    const way = random(4);
    if (way === 3) reverseBlocks(list, at);
    else list.splice(way === 0 ? random(list.length) : at, 0, ...(way === 2 ? [list[at]] : list.splice(at, 1)));
    if (way === 1) list.splice(at, 1);
  }
  if (Array.isArray(record)) return JSON.stringify(list);
  const key = ['messages', 'input', 'contents'].find((one) => one in record)!;
  return JSON.stringify({ ...record, [key]: list });
}

/** The blocks in the other order, without the first. */
function reverseBlocks(list: unknown[], at: number): void {
  const message = list[at] as Readonly<Record<string, unknown>>;
  const key = ['content', 'parts', 'tool_calls'].find((one) => Array.isArray(message[one]));
  if (key === undefined) return;
  const blocks = message[key] as readonly unknown[];
  list[at] = { ...message, [key]: blocks.length > 1 ? blocks.toReversed().slice(1) : blocks };
}

function stepOf(id: string, options: object): (now: Transcript) => Transcript {
  const transform = transformNamed(id);
  const values = { ...defaultsOf(transform.options), ...options } as Values<Options>;
  return (now) => rewriteBy(now, [{ transform, values }], CHARACTERS);
}

function rewritten(name: string, text: string, id: string, options: object): readonly Found[] {
  const step = stepOf(id, options);
  const after = changed(name, text, step);
  if (after === text) return [];
  const again = changed(name, after, step) === after ? [] : ['a second run changes it'];
  return [...again, ...faultsAt(name, after, isRequest(text))].map((fault) => [
    `${id} ${JSON.stringify(options).slice(0, 50)}: ${fault}`,
    `${after} of ${text}`,
  ]);
}

function changed(name: string, text: string, step: (now: Transcript) => Transcript): string {
  const written: string[] = [];
  const sink = {
    slice: (bytes: Uint8Array, start: number, end: number) =>
      written.push(Buffer.from(bytes.subarray(start, end)).toString()),
    text: (added: string) => written.push(added),
  };
  for (const piece of openText(text, { from: SENT[name]!.format }).pieces)
    piece.save(sink, piece.transcripts.map(step));
  return written.join('');
}

/** A history that ends on the model's words is a recording: the next message of the user is to come. */
function isRequest(text: string): boolean {
  const { transcripts } = openText(text);
  return transcripts[0]?.messages.at(-1)?.role !== 'assistant';
}

function converted(text: string, from: string, to: string): string {
  const { format, provider } = SENT[to]!;
  const target = targetNamed(format === 'vercel-model' ? format : provider);
  const { detection, pieces } = openText(text, { from: SENT[from]!.format });
  const [piece] = pieces;
  return conversionText(convert(piece!.transcripts[0]!, detection.format, target, piece!.record), true);
}

/** What the provider of this name refuses of the record. */
function faultsAt(name: string, text: string, asRequest = isRequest(text), only?: RegExp): string[] {
  const { format, provider } = SENT[name]!;
  const { transcripts, pieces } = openText(text, { from: format });
  const record: unknown = JSON.parse(text);
  const list = (Array.isArray(record) ? record : listIn(record as object)) as readonly unknown[];
  const options = {
    provider: providerNamed(provider)!,
    asRequest,
    format: formatNamed(format),
    record: pieces[0]?.record,
    contextUse: () => ({ tokens: 0, window: undefined }),
  };
  const own = rulesFor(rules, options.provider, asRequest);
  return [
    ...transcripts.flatMap((transcript) =>
      runRules(transcript, own, options)
        .filter((finding) => severityOf(finding) === 'error' && (only?.test(finding.rule.id) ?? true))
        .map(({ rule, text: what }) => `${rule.id}: ${what}`),
    ),
    ...(only === undefined ? whole(name, list) : []),
  ];
}

function whole(name: string, list: readonly unknown[]): string[] {
  const { format, provider } = SENT[name]!;
  return [
    // OpenAI's schema does not have Mistral's blocks of files
    ...(judged.includes(format) && provider !== 'mistral' ? refused(format, list) : []),
    ...orderFaults(name, list),
  ];
}

function listIn(record: object): unknown {
  return Object.entries(record).find(([key]) => ['messages', 'input', 'contents'].includes(key))?.[1];
}
