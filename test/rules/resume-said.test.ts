/**
 * What is said of damaged sessions, and how they are mended: resume-said.txt has each finding of a session of each
 * kind, and a sum of what else is found and mended where one line after the other is lost, torn or there twice.
 * `UPDATE=1` writes it anew: read what changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { DAMAGES, LINKS, randomFrom } from '../../bench/damages.mjs';
import { examineSession, mendSession } from '../../src/engine/check/sessions.js';
import { sum } from '../shared/facts.js';
import { fixtures } from '../shared/recordings.js';

type Damage = (text: string, random: unknown, links: unknown) => string | undefined;

const KEPT = 'test/rules/resume-said.txt';
const UPDATES = process.env['UPDATE'] !== undefined;
const NAME = '/sessions/rollout-2026-01-01T00-00-00-01996135-afde-7911-97f0-d863511eca56.jsonl';
const LARGEST = 20_000;
/** Lines of a session that are damaged, one at a time. */
const LINES = 10;

const sessions = fixtures().flatMap(({ name, bytes }) => {
  const agent = bytes.length < LARGEST ? examineSession(bytes, name)?.agent : undefined;
  return agent === undefined ? [] : [{ name, agent, text: bytes.toString() }];
});
const agents = [...new Set(sessions.map(({ agent }) => agent))];
const kept = readFileSync(KEPT, 'utf8').split(/^(?=# )/m);
const told = new Map<string, string>();

describe.each(agents)('%s', (agent) => {
  it('damages are named, and mended as before', () => {
    const own = sessions.filter((session) => session.agent === agent);
    told.set(agent, `# ${agent}\n${own.flatMap(linesFor).join('\n')}\n`);
    if (!UPDATES) expect(told.get(agent)).toBe(kept.find((section) => section.startsWith(`# ${agent}\n`)));
  });
});

afterAll(() => {
  if (UPDATES) writeFileSync(KEPT, agents.map((agent) => told.get(agent)).join(''));
});

function linesFor({ name, agent, text }: (typeof sessions)[number]): readonly string[] {
  const named = Object.entries(DAMAGES as Record<string, Damage>).flatMap(([what, apply], seed) => {
    const damaged = apply(text, randomFrom(seed + 7), LINKS[agent]);
    return damaged === undefined ? [] : [`  ${what}: ${found(damaged)}, mended ${sum(mended(damaged))}`];
  });
  const rest = lineByLine(text).map((damaged) => `${found(damaged)} ${mended(damaged)}`);
  return [name, ...named, `  line by line: ${sum(rest.join('\n'))}`];
}

function lineByLine(text: string): readonly string[] {
  const lines = text.split('\n');
  const without = (at: number, ...instead: readonly string[]) => lines.toSpliced(at, 1, ...instead).join('\n');
  return lines.slice(0, LINES).flatMap((line, at) => {
    const half = line.slice(0, line.length >> 1);
    return [without(at), without(at, half), without(at, line, line), without(at, half + (lines[at + 1] ?? ''))];
  });
}

function found(text: string): string {
  const report = examineSession(Buffer.from(text), NAME);
  if (report === undefined) return 'no session';
  const findings = report.findings.map(
    ({ rule, line, text: said, fix }) => `${rule} ${line}: ${said} (${fix?.safety})`,
  );
  return [`${report.loads} of ${report.of}`, ...findings].join('; ');
}

function mended(text: string): string {
  const after = mendSession(Buffer.from(text), NAME);
  return after === undefined ? 'not at all' : `${after.fixed} ${after.bytes} ${after.cut}`;
}
