/** Sessions that agents do not load whole: found, mended, and judged by what plain loaders then load. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { DAMAGES, isWhole, LINKS, randomFrom } from '../../bench/damages.mjs';
import { examples } from '../../src/cli/commands/rules/examples.static.js';
import { examineSession, mendSession } from '../../src/engine/check/sessions.js';
import { RESUME_RULES } from '../../src/rules/resume-rules.js';
import { cases } from '../shared/effort.js';
import { LOADERS } from '../shared/loaders.js';
import { parallelSession } from '../shared/parallel-session.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';

const NAME = '/sessions/rollout-2026-01-01T00-00-00-01996135-afde-7911-97f0-d863511eca56.jsonl';
type Damage = (text: string, random: unknown, links: unknown) => string | undefined;
type Agent = keyof typeof LOADERS;

/** An example's records, one a line; a string is a line as it stands. */
function linesOf(example: unknown): Buffer {
  const lines = (example as unknown[]).map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return Buffer.from(`${lines.join('\n')}\n`);
}

describe.each(RESUME_RULES)('$id', ({ id, providers, reported, fix }) => {
  const bad = linesOf(examples[id]!.bad);

  it('finds its bad example, and nothing in the repaired one, which --fix writes', () => {
    if (id === 'resume/media-repeated') return; // a megabyte: below
    expect(examineSession(bad, NAME)!.findings.map(({ rule }) => rule)).toEqual([id]);
    expect(mendSession(bad, NAME)!.bytes.toString()).toBe(linesOf(examples[id]!.repaired).toString());
    expect(examineSession(linesOf(examples[id]!.repaired), NAME)!.findings).toEqual([]);
    expect(mendSession(bad, NAME, new Set(['safe'])) === undefined).toBe(fix.safety !== 'safe');
  });

  it('names agents, and an issue', () => {
    expect(Object.keys(LOADERS)).toEqual(expect.arrayContaining([...providers]));
    for (const issue of reported) expect(issue).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
    expect(reported.length).toBeGreaterThan(0);
  });
});

const MADE = { name: 'made with parallel calls', bytes: Buffer.from(parallelSession()) };
const recordings = [MADE, ...fixtures(), ...sharedRecordings()];
const sessions = recordings.flatMap(({ name, bytes }) => {
  const report = examineSession(bytes, name);
  return report === undefined ? [] : [{ name, bytes, report, agent: report.agent as Agent }];
});

it('finds nothing in any recording, and leaves its bytes', () => {
  expect(new Set(sessions.map(({ agent }) => agent))).toEqual(new Set(Object.keys(LOADERS)));
  for (const { name, bytes, report } of sessions) {
    expect(report.findings, name).toEqual([]);
    expect(mendSession(bytes, name), name).toBeUndefined();
  }
});

/** Claude Code loses the first record then, pi does not open the file, and Gemini CLI does not list it. */
it('takes a byte order mark from the first record, and nothing else', () => {
  const MARK = Buffer.from('\ufeff');
  for (const agent of ['claude-code', 'codex', 'pi', 'gemini-cli']) {
    const isKnown = (bytes: Buffer) => examineSession(Buffer.concat([MARK, bytes]), NAME)?.agent === agent; // by others
    const own = sessions.filter(({ bytes }) => !/^\s*\{\s*\n/.test(bytes.toString()) && isKnown(bytes));
    expect(own.length, agent).toBeGreaterThan(0);
    for (const { name, bytes } of own.slice(0, 2)) {
      const marked = Buffer.concat([MARK, bytes]);
      expect(examineSession(marked, NAME)!.findings[0]!.text, name).toMatch(/^a byte order mark/);
      const { bytes: mended, cut, fixed } = mendSession(marked, NAME)!;
      expect([mended.equals(bytes), cut.length, fixed], name).toEqual([true, 0, 1]);
    }
  }
});

it.each([
  ['a rewind', { $rewindTo: 'u2' }],
  ['a change of a message', { $patch: { id: 'u1', content: 'Look!' } }],
])('keeps %s of Gemini CLI that follows a torn record on its line', (_, change) => {
  const said = (id: string) => ({ id, timestamp: '2026-01-01T00:00:00.000Z', type: 'user', content: id });
  const header = { sessionId: 's', projectHash: 'p', startTime: said('').timestamp, lastUpdated: said('').timestamp };
  const whole = linesOf([header, said('u1'), said('u2'), change, said('u3')]);
  const torn = linesOf([header, said('u1'), said('u2'), `{"id":"u3","time${JSON.stringify(change)}`, said('u3')]);
  expect(mendSession(torn, NAME)!.bytes.toString()).toBe(whole.toString());
});

it('links a record of pi whose parent is lost, and lets a compaction keep what it kept before that', () => {
  const whole = readFileSync('fixtures/formats/pi-session/hand-extension.jsonl', 'utf8');
  for (const parent of ['e0000007', 'e0000008', 'e0000009']) {
    const torn = whole.replace(`"parentId":"${parent}"`, '"parentId":"10000000"');
    expect(examineSession(Buffer.from(torn), NAME)!.findings.map(({ rule }) => rule)).toEqual([
      'resume/parent-missing',
    ]);
    expect(mendSession(Buffer.from(torn), NAME)!.bytes.toString()).toBe(whole);
  }
});

it('links a result at the end, behind whose call a note stands', () => {
  const said = (uuid: string, parentUuid: string | null, type: string, content: unknown) => ({
    ...{ uuid, parentUuid, type, sessionId: 's', isSidechain: false, userType: 'external', cwd: '/w', version: '2' },
    message: { role: type, content },
  });
  const bad = linesOf([
    said('a', null, 'user', 'Look.'),
    said('b', 'a', 'assistant', [{ type: 'tool_use', id: 't', name: 'Read', input: {} }]),
    said('c', 'b', 'user', [{ type: 'tool_result', tool_use_id: 't', content: 'found' }]),
    { ...said('d', 'b', 'system', ''), message: undefined, subtype: 'error' },
  ]);
  expect(examineSession(bad, NAME)).toMatchObject({ loads: 2, of: 3 });
  const mended = mendSession(bad, NAME)!;
  expect(mended.fixed).toBe(1);
  expect(LOADERS['claude-code'](mended.bytes.toString())).toHaveLength(3);
  expect(examineSession(mended.bytes, NAME)!.findings).toEqual([]);
});

describe.each(Object.entries(DAMAGES as Record<string, Damage>))('after: %s', (damage, apply) => {
  /**
   * Where the user went back, no file says behind what the next message stood; and agents append in order. In one
   * recording all ids were taken out.
   */
  const whole = sessions.filter(({ name }) => !/hand-(?:order|branch|tree|rewind|v1)|all-record-types/.test(name));

  it('the same messages load as before', () => {
    let hurt = 0;
    for (const [at, { name, bytes, agent }] of whole.entries()) {
      const load = LOADERS[agent];
      const before = load(bytes.toString());
      if (before.length < 4 || bytes.length > cases(400_000, 1e9, 'BYTES')) continue;
      const seeds = name === MADE.name ? 40 : bytes.length > 400_000 ? 2 : cases(2, 20, 'SEEDS');
      for (let seed = 1; seed <= seeds; seed++) {
        const damaged = apply(bytes.toString(), randomFrom(seed * 101 + at), LINKS[agent]);
        if (damaged === undefined) continue;
        const mended = mendSession(Buffer.from(damaged), NAME)?.bytes ?? Buffer.from(damaged);
        const after = load(mended.toString());
        if (!isWhole(after, before, damage)) expect(after, `${name} ${seed}`).toEqual(before);
        expect(mendSession(mended, NAME), `${name} ${seed}`).toBeUndefined();
        if (load(damaged).length < before.length) hurt++;
      }
    }
    // what is torn at the end costs nothing yet; what is there twice, only with some agents
    if (damage !== 'history copied') expect(hurt > 0).toBe(damage !== 'last line torn');
  });
});

describe('a compaction of Claude Code', () => {
  const record = (uuid: string, parentUuid: string | null, more = {}) => ({
    uuid,
    parentUuid,
    type: 'user',
    message: { role: 'user', content: uuid },
    ...more,
  });
  const BEFORE = [
    ...[record('a1', null), record('a2', 'a1'), record('x1', 'a2', { isSidechain: true })],
    ...[record('a3', 'a2'), record('a4', 'a3'), record('x2', 'a4', { isSidechain: true })],
  ];
  const session = (compactMetadata: object, before: readonly object[] = BEFORE) =>
    linesOf([
      ...before,
      record('b1', null, { type: 'system', subtype: 'compact_boundary', compactMetadata }),
      record('x3', 'a4', { isSidechain: true }),
      record('s1', 'b1', { isCompactSummary: true }),
      record('a5', 's1'),
    ]);
  const ends = (headUuid: string, anchorUuid: string, tailUuid: string) => ({
    preservedSegment: { headUuid, anchorUuid, tailUuid },
  });
  const each = (...uuids: readonly string[]) => ({ preservedMessages: { anchorUuid: 's1', uuids } });

  it.each<[object, number]>([
    [{}, 2],
    [ends('a3', 's1', 'a4'), 4],
    [each('a2', 'a3', 'a4'), 5],
    [each('a1', 'a3'), 4],
    [each(), 2],
  ])('loads the summary, what it keeps, and what follows: %j', (metadata, loads) => {
    expect(examineSession(session(metadata), 'x')).toMatchObject({ loads, findings: [] });
  });

  it('loads what it keeps where that stands behind the summary, too', () => {
    const kept = [record('k1', 's1'), record('k2', 'k1'), record('a6', 'k2')];
    const whole = Buffer.concat([session(ends('k1', 's1', 'k2'), []), linesOf(kept)]);
    expect(examineSession(whole, 'x')).toMatchObject({ loads: 4, findings: [] });
  });

  it.each<[metadata: object, loads: number, mended: object, of: number]>([
    [ends('a3', 's1', 'lost'), 1, ends('a3', 's1', 'a4'), 4],
    [ends('a3', 'lost', 'a4'), 2, ends('a3', 's1', 'a4'), 4],
    [ends('lost', 's1', 'a3'), 4, ends('a3', 's1', 'a3'), 3],
    [ends('lost', 's1', 'gone'), 1, ends('a4', 's1', 'a4'), 3],
    [each('a2', 'lost', 'a4'), 2, each('a2', 'a3', 'a4'), 5],
    [each('lost', 'a3', 'a4'), 2, each('a2', 'a3', 'a4'), 5],
    [each('a1', 'a2', 'lost'), 2, each('a1', 'a2', 'a3'), 5],
    [each('a3', 'lost', 'a4'), 2, each('a3', 'a4'), 4],
    [each('a4', 'lost'), 2, each('a4'), 3],
  ])('is pointed to what is there: %j', (metadata, loads, mended, of) => {
    expectMended(session(metadata), loads, session(mended), of);
  });

  it('is pointed to nothing where nothing is before it', () => {
    expectMended(session(ends('a3', 's1', 'a4'), []), 1, session(ends('b1', 's1', 'b1'), []), 2);
    expectMended(session(each('a3', 'a4'), []), 2, session(each(), []), 2);
    const rest = BEFORE.slice(1); // without a1, which a2 names
    expectMended(session(each('a1', 'a2'), rest), 2, session(each('a2'), rest), 3);
  });

  function expectMended(bad: Buffer, loads: number, good: Buffer, of: number): void {
    const { findings, ...report } = examineSession(bad, 'x')!;
    expect(findings.map(({ rule }) => rule)).toEqual(['resume/compaction-nowhere']);
    expect(report).toMatchObject({ loads, of });
    const mended = mendSession(bad, 'x')!.bytes;
    expect(mended.toString()).toBe(good.toString());
    expect(examineSession(mended, 'x')).toMatchObject({ loads: of, findings: [] });
  }
});

it('a compaction of Claude Code goes on behind its summary, whatever stands before that', () => {
  const record = (uuid: string, parentUuid: string | null, more = {}) => ({
    ...{ uuid, parentUuid, type: 'user', message: { role: 'user', content: uuid }, ...more },
  });
  const kept = { preservedSegment: { headUuid: 'a1', anchorUuid: 'lost', tailUuid: 'a2' } };
  const session = linesOf([
    ...[record('a1', null), record('a2', 'a1')],
    record('b1', null, { type: 'system', subtype: 'compact_boundary', compactMetadata: kept }),
    record('x1', 'a2', { isSidechain: true }),
    record('s1', 'b1', { isCompactSummary: true }),
    record('a3', 's1'),
  ]);
  expect(examineSession(session, 'x')!.findings.map(({ text }) => text)).toEqual([
    'this compaction goes on from lost, which is not in the file; 2 of 4 messages would load',
  ]);
  const boundary = JSON.parse(mendSession(session, 'x')!.bytes.toString().split('\n')[2]!);
  expect(boundary.compactMetadata.preservedSegment).toEqual({ headUuid: 'a1', anchorUuid: 's1', tailUuid: 'a2' });
});

describe('a compaction of opencode', () => {
  const message = (id: string, role: string, more = {}, part: object = { type: 'text', text: id }) => ({
    info: { id, role, ...more },
    parts: [part],
  });
  const session = (tail: string, parentID = 'm5') => {
    const kept = { type: 'compaction', auto: false, tail_start_id: tail };
    const messages = [
      ...['m1', 'm2', 'm3', 'm4'].map((id, at) => message(id, at % 2 === 0 ? 'user' : 'assistant')),
      message('m5', 'user', {}, kept),
      message('m6', 'assistant', { summary: true, finish: 'stop', parentID }),
      message('m7', 'user'),
    ];
    return Buffer.from(`${JSON.stringify({ info: { id: 'ses_1', projectID: 'global' }, messages }, null, 2)}\n`);
  };

  it('loads what it kept, the summary, and what follows', () => {
    expect(examineSession(session('m3'), 'x')).toMatchObject({ agent: 'opencode', loads: 5, findings: [] });
    expect(LOADERS.opencode(session('m3').toString())).toHaveLength(5);
  });

  it.each([
    ['m9', 'm5', 3],
    ['m2x', 'm5', 5],
    ['m3', 'lost', 5],
  ])('is pointed to what is there: %s, %s', (tail, parent, of) => {
    const bad = session(tail, parent);
    expect(LOADERS.opencode(bad.toString())).toHaveLength(7);
    expect(examineSession(bad, 'x')!.findings.map(({ rule }) => rule)).toEqual(['resume/compaction-nowhere']);
    const mended = mendSession(bad, 'x')!.bytes;
    expect(LOADERS.opencode(mended.toString())).toHaveLength(of);
    expect(examineSession(mended, 'x')).toMatchObject({ loads: of, findings: [] });
  });
});

it('images in all compactions of Codex but the last go with --fix=lossy alone', () => {
  const image = { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(700_000)}` };
  const history = (seconds: number) => ({
    timestamp: `2026-01-01T00:00:0${seconds}.000Z`,
    type: 'compacted',
    payload: { message: '', replacement_history: [{ type: 'message', role: 'user', content: [image] }] },
  });
  const [meta] = examples['resume/media-repeated']!.bad as unknown[];
  const rollout = linesOf([meta, history(1), history(2), history(3)]);
  const { findings } = examineSession(rollout, NAME)!;
  expect(findings.map(({ rule, text }) => [rule, text])).toEqual([
    ['resume/media-repeated', '1.4 MB are images in 2 compactions before the last, which Codex does not load'],
  ]);
  expect(mendSession(rollout, NAME, new Set(['safe']))).toBeUndefined();
  const { bytes } = mendSession(rollout, NAME)!;
  expect(bytes.length).toBeLessThan(rollout.length * 0.35);
  expect(LOADERS.codex(bytes.toString())).toEqual(LOADERS.codex(rollout.toString()));
});

it('images and files that Claude Code keeps again go with --fix=lossy alone, and the first of each stays', () => {
  const data = 'A'.repeat(400_000);
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } };
  const read = (at: number) => ({
    ...{ uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}`, isSidechain: false, type: 'user' },
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: [pdf] }] },
    toolUseResult: { type: 'pdf', file: { filePath: '/a.pdf', base64: data, originalSize: 300_000 } },
  });
  const session = linesOf([read(0), read(1), read(2)]);
  const { findings, loads } = examineSession(session, 'x')!;
  expect(findings.map(({ rule, text }) => [rule, text.slice(0, 32)])).toEqual([
    ['resume/media-repeated', '2.0 MB are images and files that'],
  ]);
  expect(mendSession(session, 'x', new Set(['safe']))).toBeUndefined();
  const { bytes } = mendSession(session, 'x')!;
  expect(bytes.length).toBeLessThan(session.length * 0.18);
  expect(bytes.toString().split(data)).toHaveLength(2);
  expect(LOADERS['claude-code'](bytes.toString())).toHaveLength(loads);
  expect(examineSession(bytes, 'x')!.findings).toEqual([]);
});
