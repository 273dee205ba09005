/** A fork repeats requests of its original, which keeps them, wherever the fork ends. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { ALL } from '../../shared/effort.js';
import { fixtures, type Recording, sharedRecordings } from '../../shared/recordings.js';
import { memoryTerminal } from '../../shared/terminal.js';

const ID = '01996135-afde-7911-97f0-d863511eca56';
/** Where a session of each agent would lie. Claude Code names it by its id. */
const PLACES: Readonly<Record<string, readonly [agent: string, path: string]>> = {
  'claude-code': ['claude-code', '.claude/projects/-w-app/ID.jsonl'],
  'codex-rollout': ['codex', `.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${ID}.jsonl`],
  'pi-session': ['pi', `.pi/agent/sessions/--w-app--/2026-01-01T00-00-00-000Z_${ID}.jsonl`],
};
const idIn = ({ bytes }: Recording) => /"sessionId"\s*:\s*"([^"]+)"/.exec(bytes.toString())?.[1] ?? ID;
/** Ids that were taken out are all alike. */
const IS_TRIMMED = /"uuid":"\[trimmed/;
const RECORDINGS = [...fixtures(), ...sharedRecordings()];
const offUsual = ({ bytes }: Recording) => Math.abs(bytes.length - 30_000);
/** One of each, of the usual size, or all. */
const LEAST = ALL ? Number.POSITIVE_INFINITY : 1;

const homes: string[] = [];
afterAll(() => homes.forEach((home) => void rmSync(home, { recursive: true, force: true })));

interface Session {
  readonly id: string;
  readonly file: string;
  readonly requests: number;
  readonly cost_usd: number | null;
  readonly copied_requests: number;
}

function homeWith({ bytes }: Recording, path: string) {
  const home = mkdtempSync(join(tmpdir(), 'ctx-trim-forks-'));
  homes.push(home);
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), bytes);
  const run = async (...words: string[]) => {
    const { terminal, out, err } = memoryTerminal({ cwd: home, env: { HOME: home, XDG_CACHE_HOME: join(home, 'c') } });
    const status = await runIn(terminal, words);
    return { status, out: out(), err: err() };
  };
  const told = async (...words: string[]) => JSON.parse((await run(...words, '--format', 'json')).out);
  return { file: join(home, path), run, told };
}
type Home = ReturnType<typeof homeWith>;

/** Forks that end in the middle, with the first reply, with all, begin in the middle, and one of a fork. */
async function forkAll({ file, run, told }: Home): Promise<string[]> {
  const { transcripts } = await told('show', file);
  const spoken: { index: number; role: string }[] = transcripts[0]?.messages ?? [];
  const at = (share: number) => spoken[Math.floor((spoken.length - 1) * share)]?.index;
  const prompt = spoken.filter(({ role, index }) => role === 'user' && index > 0).at(-1)?.index;
  const reply = spoken.find(({ role }) => role === 'assistant')?.index;
  const made: string[] = [];
  const fork = async (of: string, option: string, index: number | undefined) => {
    if (index === undefined) return;
    const { status, out } = await run('fork', of, '--force', option, `#${index}`, '--format', 'json');
    if (status === 0) made.push(JSON.parse(out).files[0]);
  };
  for (const share of [0.5, 1]) await fork(file, '--until', at(share));
  await fork(file, '--until', reply);
  await fork(file, '--from', prompt);
  if (made[0] !== undefined) await fork(made[0], '--until', at(0.25));
  return made;
}

const counts = { forks: 0, copied: 0 };

for (const [format, [agent, path]] of Object.entries(PLACES)) {
  const own = RECORDINGS.filter(({ name }) => name.startsWith(`${format}/`) && name.endsWith('.jsonl')).filter(
    ({ bytes }) => !IS_TRIMMED.test(bytes.toString()),
  );
  for (const recording of own.sort((a, b) => offUsual(a) - offUsual(b)).slice(0, LEAST))
    it(`keeps the requests of ${recording.name}`, async () => {
      const home = homeWith(recording, path.replace('ID', idIn(recording)));
      const { run, told, file } = home;
      const before = await told('sessions', '--top', '99');
      const [original] = before.sessions as Session[];
      if (original === undefined || original.requests === 0) return;
      const forks = await forkAll(home);
      const { sessions, total } = (await told('sessions', '--top', '99')) as { sessions: Session[]; total: Session };
      expect(sessions).toHaveLength(1 + forks.length);
      expect(sessions.find((session) => session.file === file)).toMatchObject(figuresOf(original));
      expect(total).toMatchObject(figuresOf(before.total));
      const bySession = await told('stats', '--recorded', '--by', 'session', '@all');
      expect(bySession.totals).toMatchObject(figuresOf(original));
      for (const name of [`@${agent}:${original.id}`, file]) {
        const stats = await run('stats', '--recorded', name, '--format', 'json');
        expect(stats.err).not.toContain('repeat');
        expect(JSON.parse(stats.out).totals).toMatchObject(figuresOf(original));
        expect((await told('report', name)).totals).toMatchObject(figuresOf(original));
      }
      for (const fork of sessions.filter((session) => session.file !== file)) {
        expect([fork.file, fork.requests]).toEqual([fork.file, 0]);
        counts.forks++;
        counts.copied += fork.copied_requests;
        const { err } = await run('stats', '--recorded', `@${agent}:${fork.id}`);
        if (fork.copied_requests > 0)
          expect(err).toContain(`${fork.copied_requests} request${fork.copied_requests === 1 ? '' : 's'} (`);
      }
      const { rows } = await told('stats', '--recorded', '--by', 'file', ...forks, file);
      expect(rows).toEqual([expect.objectContaining({ file, ...figuresOf(original) })]);
    });
}

it('tried forks with requests of their originals', () => {
  expect(counts.forks).toBeGreaterThan(8);
  expect(counts.copied).toBeGreaterThan(9);
});

function figuresOf({ requests, cost_usd }: Pick<Session, 'requests' | 'cost_usd'>) {
  return { requests, cost_usd };
}
