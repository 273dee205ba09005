/** A home of the shared recordings by day and session: ours, ccusage's (fixtures/vectors), and why they differ. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runIn } from '../../src/cli/cli.js';
import { createHome } from './home.js';
import { memoryTerminal } from './terminal.js';

const SHARED = '../shared/transcripts';

/** Tokens and dollars. */
interface Used {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  readonly cost_usd: number;
}
type ByName = Readonly<Record<string, Used>>;

export interface Compared {
  readonly agent: string;
  readonly by: 'day' | 'session';
  /** A day, or how ccusage names the session. */
  readonly name: string;
  readonly ours: Used | undefined;
  readonly ccusage: Used | undefined;
  /** Undefined if they are equal, or nobody knows. */
  readonly why: string | undefined;
}

const GPT_5 = 'takes gpt-5 where no model, or one without a known price, is recorded';
const THOUGHTS = 'counts no thoughts as output, although they are in its cost';
const LINES = 'skips three of its four lines with usage (edge_cases)';
const US = 'does not price inference in the US';
const WHEN = 'takes the moment at which the line was written, not that of the message: one request moves over midnight';
const TIMES = 'skips lines whose times have microseconds (sidechain)';
const WHY: Readonly<Record<string, string>> = {
  'claude-code 2025-06-14': LINES,
  'claude-code edge_cases': LINES,
  'claude-code 2025-07-03': TIMES,
  'claude-code df749439-8556-41bf-9965-9f49cf38bf2a': TIMES,
  'claude-code 2025-12-16': US,
  'claude-code agent-sessions_small_all-record-types': US,
  'codex 2025-09-19': GPT_5,
  'codex 2025-11-01': GPT_5,
  'codex rollout-2025-10-31T19-02-58-c61729d4-da6d-46a4-9a29-ec2c614e5e23': GPT_5,
  'codex rollout-2026-08-01T10-00-00-vibecodingtracker_codex': GPT_5,
  'gemini-cli 2025-10-11': THOUGHTS,
  'gemini-cli 2026-03-27': THOUGHTS,
  'gemini-cli 8a20078e-2d5e-4f81-a640-9b879bbb7e6d': THOUGHTS,
  'gemini-cli d6f69999-62cc-4d41-8de4-9a85fc1531b8': THOUGHTS,
  'pi 2025-12-08': WHEN,
  'pi 2025-12-09': WHEN,
};

const read = (name: string) => JSON.parse(readFileSync(`fixtures/vectors/${name}.json`, 'utf8'));
const PUT: Readonly<Record<string, Readonly<Record<'recordings' | 'folder' | 'before', string>>>> =
  read('ccusage-home');

/** None where the shared folder is missing. */
export async function comparedHome(): Promise<readonly Compared[]> {
  if (!existsSync(SHARED)) return [];
  const recorded: Readonly<Record<string, Readonly<Record<Compared['by'], ByName>>>> = read('ccusage-20').recorded;
  const { home, env } = createHome();
  rmSync(home, { recursive: true });
  try {
    for (const { recordings, folder, before } of Object.values(PUT))
      for (const file of readdirSync(join(SHARED, recordings))) {
        const to = join(home, folder, (file.startsWith(before!.split('-')[0]!) ? '' : before) + file);
        mkdirSync(dirname(to), { recursive: true });
        cpSync(join(SHARED, recordings, file), to);
      }
    const all: Compared[] = [];
    for (const agent of Object.keys(PUT))
      for (const by of ['day', 'session'] as const) {
        const theirs = recorded[agent]![by];
        const ours = await usedBy(agent, by, new Set(Object.keys(theirs)), { home, env });
        for (const name of [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].sort())
          all.push({ agent, by, name, ours: ours[name], ccusage: theirs[name], why: WHY[`${agent} ${name}`] });
      }
    return all;
  } finally {
    for (const folder of [home, env['XDG_CACHE_HOME']!]) rmSync(folder, { recursive: true, force: true });
  }
}

type Place = Pick<ReturnType<typeof createHome>, 'home' | 'env'>;

interface Row extends Omit<Used, 'cache_write' | 'cost_usd'> {
  readonly day: string | null;
  readonly session: string | null;
  readonly file: string;
  readonly total: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly cost_usd: number | null;
}

/** Sessions as ccusage names them: by file, or by id. */
async function usedBy(agent: string, by: Compared['by'], names: ReadonlySet<string>, { home, env }: Place) {
  const { terminal, out } = memoryTerminal({ cwd: home, env: { ...env, TZ: 'UTC' } });
  const words = ['--by', by === 'day' ? 'day' : 'file', '--timezone', 'UTC', '--format', 'json', `@${agent}:all`];
  await runIn(terminal, ['stats', '--recorded', '--no-cache', ...words]);
  const rows = (JSON.parse(out()) as { rows: readonly Row[] }).rows.filter(({ total }) => total > 0);
  const nameOf = ({ day, session, file }: Row) => {
    if (by === 'day') return day ?? 'no day';
    const own = basename(file, '.jsonl');
    return names.has(own) ? own : (session ?? own);
  };
  return Object.fromEntries(rows.map((row) => [nameOf(row), usedIn(row)])) as ByName;
}

function usedIn({ input, cache_read, cache_write_5m, cache_write_1h, output, cost_usd }: Row): Used {
  const cost = Number((cost_usd ?? 0).toFixed(9));
  return { input, cache_read, cache_write: cache_write_5m + cache_write_1h, output, cost_usd: cost };
}

export function isEqual({ ours, ccusage }: Compared): boolean {
  if (ours === undefined || ccusage === undefined) return false;
  const { cost_usd: cost, ...tokens } = ours;
  const { cost_usd: theirs, ...others } = ccusage;
  return JSON.stringify(tokens) === JSON.stringify(others) && Math.abs(cost - theirs) < 1e-6;
}

/** For bench/LEDGER.md: how many are equal, and each that is not. */
export function homeTable(all: readonly Compared[]): string[] {
  const groups = Object.keys(PUT).flatMap((agent) =>
    (['day', 'session'] as const).map((by) => all.filter((one) => one.agent === agent && one.by === by)),
  );
  const counted = groups.map((group) => {
    const [{ agent, by }] = group as [Compared];
    return `| ${agent} | ${by} | ${group.length} | ${group.filter(isEqual).length} |`;
  });
  const text = (used: Used | undefined) =>
    used === undefined
      ? ['', '']
      : [used.input + used.cache_read + used.cache_write + used.output, used.cost_usd.toFixed(6)];
  const rows = all
    .filter((one) => !isEqual(one))
    .map(({ agent, name, ours, ccusage, why }) =>
      ['', agent, name, ...text(ours), ...text(ccusage), why ?? '?', ''].join(' | ').trim(),
    );
  return [
    'A home of the shared recordings of four agents by day and session, and ccusage on it (all tokens and the cost):',
    '',
    '| agent | by | there | equal |',
    '| --- | --- | --: | --: |',
    ...counted,
    '',
    '| agent | | tokens | cost | ccusage: tokens | cost | ccusage differs: it … |',
    '| --- | --- | --: | --: | --: | --: | --- |',
    ...rows,
  ];
}
