/**
 * Promise 2, at the providers: what we write is never a request that fails. Histories that a provider takes, changed
 * by every transform and converted to every target, are judged by its rules as requests, by its published schema and
 * by a plain judge of the order of messages.
 */
import { convertToModelMessages, safeValidateUIMessages } from 'ai';
import { describe, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import type { Safety } from '../../src/findings.js';
import { formatNamed } from '../../src/formats/index.js';
import { defaultsOf, type Options, type Values } from '../../src/options/option.js';
import { guardOf } from '../../src/policy/guard.js';
import { allRules } from '../../src/rules/index.js';
import { providerNamed } from '../../src/rules/providers.js';
import { applyFixes, type RuleOptions, rulesFor, runRules, severityOf } from '../../src/rules/run-rules.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { transformNamed } from '../../src/transforms/index.js';
import { rewriteBy } from '../../src/transforms/pipeline.js';
import { conversionText } from '../shared/conversion-text.js';
import { lawful } from '../shared/lawful.js';
import { type OpenedText, openText } from '../shared/opened.js';
import { orderFaults } from '../shared/plain-judge.js';
import { type Random, randomFrom } from '../shared/random-histories.js';
import { CHARACTERS } from '../shared/rewrite-text.js';
import { judged, refused } from '../shared/schemas.js';
import { forEveryTransform } from '../shared/trials.js';
import { CHAT_MODELS, SENT, validHistory } from '../shared/valid-histories.js';

const rules = allRules();

/**
 * `HISTORIES=10000 npx vitest run test/laws/writes.test.ts` tries so many for each provider, `HISTORIES=2000-3000`
 * those from the one to the other.
 */
const [FIRST, LAST] = `0-${process.env['HISTORIES'] ?? 25}`.split('-').slice(-2).map(Number) as [number, number];
/** Of all changes one of this number is tried on a history, by turns: fewer in the suite. */
const PART = process.env['HISTORIES'] === undefined ? 40 : 8;
const NAMES = Object.keys(SENT);
/** What `convert` writes. Not Gemma's history for Google's own API, which takes no instructions of Gemma 3. */
const TARGETS = NAMES.filter((to) => to !== 'gemma' && to !== 'vercel-ui' && !(to in CHAT_MODELS));

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
  ['fit', { maxTokens: 700, unit: 'round', everything: true }],
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
  it('takes the histories, and what becomes of them', async () => {
    const found: Found[] = [];
    const last = process.env['HISTORIES'] === undefined && name in CHAT_MODELS ? FIRST + 5 : LAST;
    for (let at = FIRST; at < last; at++) {
      const text = JSON.stringify(validHistory(name, at + 1));
      for (const [fault, where] of await faultsFrom(name, text, at)) found.push([fault, `${where} of ${text}`]);
    }
    lawful(summed(found));
  });
});

/** All that is tried on one history. */
async function faultsFrom(name: string, text: string, at: number): Promise<readonly Found[]> {
  const opened = openText(text, { from: SENT[name]!.format });
  const told = async (fault: string, faults: Promise<string[]> | string[], where: string): Promise<Found[]> =>
    (await faults).map((one) => [`${fault}: ${one}`, where]);
  const isByTurns = (index: number) => (at + index) % PART === 0;
  const asRequest = isRequest(opened);
  const found = [await told('as it is', faultsAt(name, text, asRequest), '')];
  for (const [id, options] of STEPS.filter((_, index) => isByTurns(index))) {
    const step = stepOf(id, options);
    const after = saved(opened, step);
    if (after === text) continue;
    const again = openText(after, { from: SENT[name]!.format });
    const faults = [
      ...(saved(again, step) === after ? [] : ['a second run changes it']),
      ...(await faultsAt(name, after, asRequest, again)),
    ];
    found.push(await told(`${id} ${JSON.stringify(options).slice(0, 50)}`, faults, after));
  }
  for (const to of TARGETS.filter((to, index) => isByTurns(index) && !(name === 'gemma' && to === 'gemini'))) {
    const after = converted(opened, to);
    found.push(await told(`to ${to}`, faultsAt(to, after), after));
  }
  const worse = openText(broken(text, randomFrom(at + 1)), { from: SENT[name]!.format });
  for (const [id, mend, only] of MENDS.filter((_, index) => (at + index) % MENDS.length === 0)) {
    const once = openText(saved(worse, mend(name, worse)), { from: SENT[name]!.format });
    const after = saved(once, mend(name, once)); // an added message has fixes of its own in the next run
    const where = `${after} from ${broken(text, randomFrom(at + 1))}`;
    const faults = await faultsAt(name, after, only === undefined, undefined, only);
    found.push(
      await told(
        id,
        faults.filter((fault) => !TAKEN.test(`${name} ${fault}`)),
        where,
      ),
    );
  }
  const level = LEVELS[at % LEVELS.length]!;
  found.push(
    await told(`--fix=${level.at(-1)} alone`, claimedFaults(name, worse, level), broken(text, randomFrom(at + 1))),
  );
  return found.flat();
}

/**
 * What a level of `check --fix` says that it mends and does not, and what it breaks that was not broken and no higher
 * level mends: where only a made-up message helps, a lower one trades a fault for one that `check` then reports.
 */
function claimedFaults(name: string, worse: OpenedText, level: readonly Safety[]): string[] {
  const before = findingsOf(name, worse);
  const after = findingsOf(name, openText(saved(worse, fixing(level)(name, worse)), { from: SENT[name]!.format }));
  const had = (id: string) => before.filter(({ rule }) => rule.id === id).length;
  const left = after.filter(({ isFixable, safety }) => isFixable && level.includes(safety!));
  const more = after.filter(({ rule: { id } }) => after.filter(({ rule }) => rule.id === id).length > had(id));
  return [
    ...left.map(({ rule, text }) => `it leaves ${rule.id}: ${text}`),
    ...more.filter(({ isFixable }) => !isFixable).map(({ rule, text }) => `it makes ${rule.id}: ${text}`),
  ];
}

function findingsOf(name: string, opened: OpenedText) {
  const { own, options } = judgeAt(name, true, opened);
  return opened.transcripts
    .flatMap((transcript) => runRules(transcript, own, options))
    .filter((finding) => severityOf(finding) === 'error');
}

/** How often each fault was found, and where first. */
function summed(found: readonly Found[]): string[] {
  const counts = new Map<string, number>();
  for (const [fault] of found) counts.set(fault.slice(0, 70), (counts.get(fault.slice(0, 70)) ?? 0) + 1);
  return [...counts].map(([fault, count]) => {
    const [whole, where] = found.find(([one]) => one.startsWith(fault))!;
    return `${count} x ${whole} in ${where}`;
  });
}

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

/** `check --fix` with fixes of these kinds. */
const fixing =
  (safeties: readonly Safety[]) =>
  (name: string, opened: OpenedText): ((now: Transcript) => Transcript) => {
    const { own, options } = judgeAt(name, true, opened);
    return (now) => applyFixes(now, own, new Set(safeties), options);
  };

/** The kinds of fixes that `--fix=safe` and `--fix=lossy` make; those of `--fix=synthetic` are all. */
const LEVELS: readonly (readonly Safety[])[] = [['safe'], ['safe', 'lossy']];

/** Rules that say which result belongs to which call. */
const PAIRING =
  /orphan|unanswered|result-(?:duplicate|excess|missing|id-not)|response-count|(?:output|call)-missing|call-response/;

/**
 * What the plain judge wants of what we write, but no API is known to refuse, so that no rule finds it: a second
 * output, turns of one role in a row, those of Gemini's model as one.
 */
const TAKEN = /again the |an output of no open call|^gemini message \d+: (?:unanswered calls|answers .* to calls $)/;

/** What mends a broken history, and the rules that then have nothing to say: all of them, if none are named. */
const MENDS: readonly [string, (name: string, opened: OpenedText) => (now: Transcript) => Transcript, RegExp?][] = [
  ['patch of a broken history', () => stepOf('patch', {}), PAIRING],
  ['--as-request --fix=lossy of a broken history', fixing(['safe', 'synthetic', 'lossy'])],
];

function saved({ pieces }: OpenedText, step: (now: Transcript) => Transcript): string {
  const written: string[] = [];
  const sink = {
    slice: (bytes: Uint8Array, start: number, end: number) =>
      written.push(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()),
    text: (added: string) => written.push(added),
  };
  for (const piece of pieces) piece.save(sink, piece.transcripts.map(step));
  return written.join('');
}

/** A history that ends on the model's words is a recording: the next message of the user is to come. */
function isRequest({ transcripts }: OpenedText): boolean {
  return transcripts[0]?.messages.at(-1)?.role !== 'assistant';
}

function converted({ detection, pieces }: OpenedText, to: string): string {
  const { format, provider } = SENT[to]!;
  const target = targetNamed(format === 'vercel-model' ? format : provider);
  const [piece] = pieces;
  return conversionText(convert(piece!.transcripts[0]!, detection.format, target, piece!.record), true);
}

function judgeAt(name: string, asRequest: boolean, { pieces }: OpenedText) {
  const { format, provider } = SENT[name]!;
  const options: RuleOptions = {
    provider: providerNamed(provider)!,
    asRequest,
    format: formatNamed(format),
    record: pieces[0]?.record,
    contextUse: () => ({ tokens: 0, window: undefined }),
  };
  const own = rulesFor(rules, options.provider, asRequest);
  // the AI SDK takes any name, and its messages go to any provider
  return {
    options,
    own: format === 'vercel-model' ? own.filter(({ id }) => id !== 'chat/function-name-pattern') : own,
  };
}

/** What the provider of this name refuses of the record. */
async function faultsAt(
  ...[name, text, asRequest, known, only]: [string, string, boolean?, OpenedText?, RegExp?]
): Promise<string[]> {
  const opened = known ?? openText(text, { from: SENT[name]!.format });
  const { own, options } = judgeAt(name, asRequest ?? isRequest(opened), opened);
  const found = opened.transcripts
    .flatMap((transcript) => runRules(transcript, own, options))
    .filter((finding) => severityOf(finding) === 'error' && (only?.test(finding.rule.id) ?? true))
    .map(({ rule, text: what }) => `${rule.id}: ${what}`);
  const record: unknown = JSON.parse(text);
  const list = (Array.isArray(record) ? record : listIn(record as object)) as readonly unknown[];
  return only === undefined ? [...found, ...(await whole(name, list))] : found;
}

async function whole(name: string, list: readonly unknown[]): Promise<string[]> {
  const { format, provider } = SENT[name]!;
  if (format === 'vercel-ui') return await uiFaults(list);
  return [
    // OpenAI's schema does not have Mistral's blocks of files
    ...(judged.includes(format) && provider !== 'mistral' ? refused(format, list) : []),
    ...orderFaults(name, list),
  ];
}

/** What the AI SDK refuses of UI messages, and of what it makes of them for a model. */
async function uiFaults(messages: readonly unknown[]): Promise<string[]> {
  const valid = await safeValidateUIMessages({ messages });
  if (!valid.success) return [valid.error.message.slice(0, 200)];
  const sent = await convertToModelMessages(valid.data);
  return [...refused('vercel-model', sent), ...orderFaults('vercel-model', sent)];
}

function listIn(record: object): unknown {
  return Object.entries(record).find(([key]) => ['messages', 'input', 'contents'].includes(key))?.[1];
}
