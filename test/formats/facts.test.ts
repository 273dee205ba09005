/**
 * What is read from each small fixture, what its edits are saved as, and what it becomes as another format: a line in
 * facts.txt each, with a sum (of sha1) for what is long. `UPDATE=1` writes it anew: a line that changes says for which
 * recordings a change of the code is one for users.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { convertSession, sessionText } from '../../src/conversion/session.js';
import { SESSION_TARGETS } from '../../src/conversion/session-targets.js';
import type { Format } from '../../src/formats/format.js';
import { formatNamed, formats } from '../../src/formats/index.js';
import { patch } from '../../src/json/edit.js';
import { JsonNode, parse } from '../../src/json/node.js';
import { printed, reparsed } from '../../src/json/print.js';
import { afresh, EDITS, type Edit, SAY_MORE, SILENCE } from '../../src/plugin/edits.js';
import { mapMessages } from '../../src/transcript/edit.js';
import { pair } from '../../src/transcript/pairs.js';
import type { Message, Part, Transcript } from '../../src/transcript/types.js';
import { beginning } from '../shared/beginning.js';
import { conversionText } from '../shared/conversion-text.js';
import { ALL } from '../shared/effort.js';
import { factsOf, plain, sum } from '../shared/facts.js';
import { type OpenedText, openText } from '../shared/opened.js';
import { recordedStats } from '../shared/recorded-stats.js';
import { fixtures } from '../shared/recordings.js';
import { mapText } from '../shared/rewrite-text.js';

const KEPT = 'test/formats/facts.txt';
const LARGEST = 7000;
/** So many values of a fixture are made null, one at a time. */
const GONE = 4;
/** Of the changes, one of so many has a sum of its own. */
const TURNS = 12;
/** One part of the changes is saved in each run, another one of the next fixture; with LAWS=all, or UPDATE, all are. */
const SHARES = 3;

const known = formats.map(({ load }) => load());
const TARGETS = known.flatMap(({ id, encode }) => (encode === undefined ? [] : [id]));

const change = (edit: (parts: readonly Part[], message: Message) => readonly Part[]) => (message: Message) => ({
  ...message,
  parts: edit(message.parts, message),
});
const CHANGES: Readonly<Record<string, Edit>> = {
  ...EDITS,
  'more is said': SAY_MORE,
  ...SILENCE,
  afresh,
  'nothing is left': change(() => []),
  'texts alone': change((parts) => parts.filter(({ type }) => type === 'text')),
  'no thoughts': change((parts) => parts.filter(({ type }) => type !== 'thinking')),
  'no media': change((parts) => parts.filter(({ type }) => type !== 'media' && type !== 'opaque')),
  'errors change': change((parts) =>
    parts.map((part) => (part.type === 'result' ? { ...part, isError: !part.isError } : part)),
  ),
  'tools change': change((parts) =>
    parts.map((part) => ('tool' in part && part.tool ? { ...part, tool: 'other' } : part)),
  ),
  'without ids': change((parts) => parts.map((part) => ('callId' in part ? { ...part, callId: undefined } : part))),
  'thoughts and a call more': change((parts, { role }) =>
    role === 'assistant'
      ? [{ type: 'thinking', text: 'Hm.' }, ...parts, { type: 'call', callId: 'new', tool: 'look', input: '{"a":1}' }]
      : parts,
  ),
  'a result more': change((parts, { role }) =>
    role === 'tool'
      ? [...parts, { type: 'result', callId: 'new', tool: 'look', content: [{ type: 'text', text: 'Seen.' }] }]
      : parts,
  ),
};

const UPDATES = process.env['UPDATE'] !== undefined;
const WHOLE = ALL || UPDATES;
const small = fixtures()
  .filter(({ bytes }) => bytes.length <= LARGEST)
  .map((recording) => ({ ...recording, index: Number.parseInt(sum(recording.name), 16) })); // whatever others there are
const kept = readFileSync(KEPT, 'utf8').split('\n');
const lines: string[] = [];

it.each([...new Set(small.map(({ format }) => format!))])('%s: reads and writes small fixtures as it did', (id) => {
  const own = small.filter(({ format }) => format === id);
  const now = own.map(({ name, bytes, index }) => [name, ...told(bytes, index)]);
  lines.push(...now.map((facts) => facts.join('; ')));
  if (UPDATES) return;
  const before = new Map(kept.filter((line) => line.startsWith(`${id}/`)).map((line) => [line.split('; ')[0]!, line]));
  expect(now.map(([name]) => name)).toEqual([...before.keys()]);
  const asBefore = ([name, ...facts]: readonly string[]) => [
    name,
    ...facts.filter(isIn(before.get(name!)!.split('; '))),
  ];
  expect(now).toEqual(now.map(asBefore));
});

afterAll(() => {
  if (UPDATES) writeFileSync(KEPT, `${lines.join('\n')}\n`);
});

function* told(bytes: Buffer, index: number): Generator<string> {
  const opened = openText(bytes);
  const { transcripts, detection } = opened;
  yield `${detection.format.id}, ${transcripts.map(countsOf).join(' + ')}`;
  yield `read ${sum(JSON.stringify(transcripts.map(factsOf), plain))}`;
  yield `stats ${sum(JSON.stringify(recordedStats(bytes), plain))}`;
  const messages = transcripts.flatMap((transcript) => transcript.messages);
  yield `damaged ${sum(
    JSON.stringify(
      ofEachShape(messages).flatMap((raw) => damagedFacts(raw, detection.format)),
      plain,
    ),
  )}`;
  yield `without ${sum(JSON.stringify(withoutEach(bytes).map(readFacts), plain))}`;
  yield `written ${sum(messages.flatMap((message) => writtenFacts(message, detection.format)).join('\n'))}`;
  const changes = Object.entries(CHANGES);
  const [name, change] = changes[index % TURNS]!;
  yield `${name} ${changed(bytes, change)}`;
  for (let share = 0; share < SHARES; share++) {
    if (!WHOLE && share !== index % SHARES) continue;
    const some = changes.filter((_, at) => at % SHARES === share && at !== index % TURNS);
    yield `changes ${share} ${sum(some.map(([, each]) => changed(bytes, each)).join())}`;
  }
  const [first] = transcripts;
  if (first !== undefined && first.abandoned === undefined) yield* conversions(opened, first, index);
}

const isIn = (list: readonly string[]) => (one: string) => list.includes(one);
const readFacts = (text: string) => tried(() => openText(text).transcripts.map(factsOf));

/** The text without one value, which is null instead: of the first lines, some by chance. */
function withoutEach(bytes: Buffer): readonly string[] {
  const text = bytes.toString();
  const paths: JsonNode[] = [];
  const walk = (node: JsonNode, level: number) => {
    const members = node.members().map(({ value }) => value);
    if (level > 1) paths.push(...members);
    if (level < 5) for (const inner of [...members, ...node.items(2)]) walk(inner, level + 1);
  };
  const whole = isJson(text) ? [text] : text.split('\n').slice(0, 4).filter(isJson);
  let at = 0;
  return whole.flatMap((value) => {
    at = text.indexOf(value, at);
    paths.length = 0;
    const root = parse(value);
    walk(root, 1);
    const ranked = paths
      .map((node) => [sum(`${node.start} ${text.length}`), node] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return ranked.slice(0, GONE / whole.length).map(([, node]) => {
      const [start, end] = [
        Buffer.from(value).subarray(0, node.start).toString(),
        Buffer.from(value).subarray(node.end).toString(),
      ];
      return `${text.slice(0, at)}${start}null${end}${text.slice(at + value.length)}`;
    });
  });
}

function isJson(text: string): boolean {
  return tried(() => JSON.parse(text) !== undefined) === true;
}

/** One value of each set of members. */
function ofEachShape(messages: readonly Message[]): readonly JsonNode[] {
  const found = new Map<string, JsonNode>();
  for (const { raw } of messages)
    if (raw instanceof JsonNode && raw.isObject) {
      const shape = raw.members().map(({ key, value }) => `${key.text} ${value.kind} ${value.get('type')?.text}`);
      if (!found.has(shape.join())) found.set(shape.join(), raw);
    }
  return [...found.values()].slice(0, 6);
}

/** What all formats take it for; and with each member gone or wrong, what its own format reads. */
function damagedFacts(raw: JsonNode, format: Format): unknown[] {
  const scores = (value: JsonNode) => known.flatMap(({ id, score }) => (score(value) === 0 ? [] : [id, score(value)]));
  return [
    scores(raw),
    ...raw.members().flatMap(({ key }) => {
      const gone = reparsed(patch(raw, { [key.text]: undefined }));
      const wrong = reparsed(patch(raw, { [key.text]: [7] }));
      const inner = key.text === 'content' ? [] : (raw.get(key.text)?.members() ?? []);
      const within = inner.map((one) =>
        reparsed(patch(raw, { [key.text]: patch(raw.get(key.text)!, { [one.key.text]: undefined }) })),
      );
      return [
        scores(gone),
        ...within.map((one) => [format.score(one), tried(() => format.read(one).parts)]),
        tried(() => format.read(gone).parts),
        tried(() => format.read(wrong).parts),
      ];
    }),
  ];
}

function writtenFacts(message: Message, { write }: Format): readonly string[] {
  if (message.role === 'meta') return [];
  return Object.values(CHANGES).map((edit) => String(tried(() => printed(write(edit(message))))));
}

function tried<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

function changed(bytes: Buffer, edit: Edit): string {
  const after = tried(() =>
    mapText(bytes, (transcript) =>
      mapMessages(transcript, (message) => (message.role === 'meta' ? message : edit(message))),
    ),
  );
  return after === bytes.toString() ? 'nothing' : sum(after);
}

/** To two formats and as the session of an agent, by turns; then to all others. */
function* conversions({ pieces }: OpenedText, first: Transcript, index: number): Generator<string> {
  const source = formatNamed(first.format);
  const sumTo = (to: string) => {
    const conversion = convert(first, source, targetNamed(to), pieces[0]!.record);
    const { findings, repairs, faults } = conversion;
    return sum(conversionText(conversion, true) + JSON.stringify({ findings, repairs, faults }, plain));
  };
  const turns = [index % TARGETS.length, (index + 5) % TARGETS.length];
  for (const turn of turns) yield `to ${TARGETS[turn]} ${sumTo(TARGETS[turn]!)}`;
  const sessionOf = (target: (typeof SESSION_TARGETS)[number]) => {
    const { document, findings } = convertSession(first, source, target, beginning);
    return sum(sessionText(document) + JSON.stringify(findings, plain));
  };
  const turn = index % SESSION_TARGETS.length;
  yield `session ${SESSION_TARGETS[turn]!.format.id} ${sessionOf(SESSION_TARGETS[turn]!)}`;
  if (WHOLE) yield `to all ${sum([...TARGETS.map(sumTo), ...SESSION_TARGETS.map(sessionOf)].join())}`;
}

function countsOf({ messages, model, recorded }: Transcript): string {
  const roles = messages.map(({ role }) => role[0]).join('');
  const { calls, results } = pair(messages);
  const usages = messages.flatMap((message) => recorded?.(message)?.usage ?? []);
  const sumOf = (key: 'input' | 'output') => usages.reduce((all, usage) => all + usage[key], 0);
  const used = usages.length > 0 ? `, ${sumOf('input')} and ${sumOf('output')} tokens` : '';
  const by = model ? ` by ${model}` : '';
  return `${short(roles)} with ${calls.length} calls and ${results.length} results${by}${used}`;
}

const short = (text: string) =>
  text.replaceAll(/(.+?)\1{3,}/g, (all, one: string) => `(${one})×${all.length / one.length}`);
