/** Sessions of all agents, relinked, doubled, cut and shuffled at random: whatever a file is, it is read and mended. */
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { randomFrom } from '../../bench/damages.mjs';
import { examineSession, mendSession } from '../../src/engine/check/sessions.js';
import { forkable, forkedSession } from '../../src/engine/sessions/fork.js';
import { TranscriptError } from '../../src/errors.js';
import { check } from '../../src/index.js';
import { cases } from '../shared/effort.js';
import { openText } from '../shared/opened.js';
import { parallelSession } from '../shared/parallel-session.js';
import { fixtures } from '../shared/recordings.js';

type Random = (limit: number) => number;
type Value = Record<string, unknown>;

const NAME = '/sessions/rollout-2026-01-01T00-00-00-01996135-afde-7911-97f0-d863511eca56.jsonl';
const MADE = { name: 'made with parallel calls', bytes: Buffer.from(parallelSession()) };
const sessions = [MADE, ...fixtures()].flatMap(({ name, bytes }) => {
  const agent = bytes.length < 60_000 ? examineSession(bytes, name)?.agent : undefined;
  return agent === undefined ? [] : [{ name, text: bytes.toString(), agent }];
});
const AGENTS = ['claude-code', 'codex', 'pi', 'gemini-cli', 'opencode'];
/** Members that name a record. */
const NAMES =
  /^(?:uuid|parentUuid|id|parentId|parentID|messageID|callID|call_id|tool_use_id|leafUuid|targetId|tail_start_id|firstKeptEntryId|anchorUuid|headUuid|tailUuid|\$rewindTo|turn_id|num_turns)$/;

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

/** All places of a value that name a record. */
function namesIn(value: unknown, found: (readonly [of: Value, key: string])[] = []): typeof found {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, each] of Object.entries(value)) {
    if (NAMES.test(key)) found.push([value as Value, key]);
    namesIn(each, found);
  }
  return found;
}

/** Gives records, which are changed in place, other names. */
function renamed(records: unknown[], random: Random): void {
  const places = records.flatMap((record) => namesIn(record));
  const names = places.map(([of, key]) => of[key]);
  for (let count = places.length === 0 ? 0 : 1 + random(6); count > 0; count--) {
    const [of, key] = pick(random, places);
    of[key] = pick(random, [
      ...Array.from({ length: 8 }, () => pick(random, names)),
      null,
      '',
      'lost',
      '__proto__',
      7,
      [],
    ]);
  }
}

/** Moves, doubles, drops and adds some. */
function shuffled<T>(items: T[], random: Random, more: (items: readonly T[]) => T): void {
  for (let count = random(6); count > 0 && items.length > 0; count--) {
    const at = random(items.length);
    const way = random(4);
    if (way === 0) items.splice(at, 1);
    else if (way === 1) items.splice(random(items.length), 0, items[at]!);
    else if (way === 2) items.splice(random(items.length), 0, ...items.splice(at, 1 + random(4)));
    else items.splice(at, 0, more(items));
  }
}

const ODD: Readonly<Record<string, (id: string) => readonly unknown[]>> = {
  'claude-code': (id) => [
    {
      ...{ type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: id },
      compactMetadata: { preservedMessages: { anchorUuid: id, uuids: [id, 'lost'] } },
    },
  ],
  codex: () => [
    { timestamp: '2026-01-01T00:00:00.000Z', type: 'compacted', payload: { replacement_history: null } },
    { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 9 } },
  ],
  'gemini-cli': (id) => [{ $rewindTo: id }, { $set: { messages: [{ id }] } }, { $set: { messages: null } }],
};

/** Lines that take others back, and that are torn. */
function oddLine(lines: readonly string[], random: Random, agent: string): string {
  const line = pick(random, lines);
  const id = /"(?:uu)?id":"([^"]+)"/.exec(pick(random, lines))?.[1] ?? 'lost';
  const odd = (ODD[agent]?.(id) ?? []).map((value) => JSON.stringify(value));
  return pick(random, [
    ...[line.slice(0, random(line.length)), line.slice(random(line.length)), line + line, '', '{}', 'null', '[]'],
    ...[...odd, ...odd],
  ]);
}

function damaged(text: string, agent: string, random: Random): string {
  if (/^\s*\{\s*\n/.test(text)) {
    const session = JSON.parse(text) as { messages: unknown[] };
    renamed(session.messages, random);
    shuffled(session.messages, random, (messages) => structuredClone(pick(random, messages)));
    const whole = JSON.stringify(session, null, 2);
    return random(4) === 0 ? whole.slice(0, 10 + random(whole.length)) : whole;
  }
  const records = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
  renamed(records, random);
  const lines = records.map((record) => JSON.stringify(record));
  shuffled(lines, random, (all) => oddLine(all, random, agent));
  return lines.join('\n') + pick(random, ['', '\n', '\r\n']);
}

/** What it says of a file that it does not take is an error of its own. */
function said<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    return undefined;
  }
}

describe.each(AGENTS)('%s', (agent) => {
  const own = sessions.filter((session) => session.agent === agent);

  it('is read, mended once for all, forked and shown, whatever its records name', () => {
    expect(own.length).toBeGreaterThan(0);
    let mendedOnes = 0;
    for (let seed = 1; seed <= cases(12, 4000, 'SEEDS'); seed++) {
      const random = randomFrom(seed) as Random;
      const { name, text } = pick(random, own);
      const bytes = Buffer.from(damaged(text, agent, random));
      const told = `${name}, seed ${seed}`;
      const report = examineSession(bytes, NAME);
      const once = mendSession(bytes, NAME);
      if (once !== undefined) mendedOnes++;
      const fixed = once?.bytes ?? bytes;
      expect(mendSession(fixed, NAME)?.bytes.toString(), told).toBeUndefined();
      if (report !== undefined) expect(examineSession(fixed, NAME)?.loads, told).toBe(report.of);
      said(() => openText(bytes));
      said(() => openText(fixed));
      if (seed % 4 === 0) said(() => check(bytes.toString()));
      const of = { id: 'new', path: NAME, time: 0, project: undefined };
      const last = random(2) === 0 ? Number.POSITIVE_INFINITY : random(30);
      said(() => forkedSession(forkable(bytes), { first: random(3), last }, of));
    }
    expect(mendedOnes).toBeGreaterThan(0);
  });
});
