/** Where agents keep their sessions, and `@` names of them, in a made-up home folder. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COARSEST_TIME_MS } from '../../../src/cli/files/known-files.js';
import { findSessions, foldersOf } from '../../../src/cli/sessions/sessions.js';
import { WITH_STORE } from '../../../src/formats/agents.js';
import { CLAUDE, CODEX, createHome, type Env, PLACES, WITH_FILES, YEAR_AGO } from '../../shared/home.js';
import { runProgram } from '../../shared/program.js';
import { zstdFrame } from '../../shared/zstd.js';

let home = '';
let env: Env = {};
const at = (path: string) => join(home, path);

beforeAll(() => {
  ({ home, env } = createHome());
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(env['XDG_CACHE_HOME']!, { recursive: true, force: true });
});

const ctxTrim = (...words: string[]) => runProgram(words, { cwd: home, env });

/** All names, contents and times below the home folder. */
function stateOf(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' }).sort()) {
    const stats = statSync(at(name));
    hash.update(`${name} ${stats.mtimeMs} ${stats.isFile() ? readFileSync(at(name), 'latin1') : ''}`);
  }
  return hash.digest('hex');
}

const MOVED = WITH_STORE.flatMap(({ id, stores }) =>
  stores.filter(({ movedBy }) => movedBy !== undefined).map((store) => ({ id, store })),
);

describe('the folders of agents', () => {
  it('are known for at least twelve', () => {
    expect(new Set(PLACES.map(([agent]) => agent))).toEqual(new Set(WITH_FILES.map(({ id }) => id)));
    expect(WITH_STORE.length).toBeGreaterThanOrEqual(12);
  });

  it('are found whole', () => {
    const found = findSessions(env).map(({ agent, path }) => `${agent} ${path}`);
    for (const [agent, path] of PLACES) expect(found).toContain(`${agent} ${at(path)}`);
    expect(found).toHaveLength(PLACES.length);
  });

  it.each(MOVED)('of $id are moved by its variable', ({ store }) => {
    for (const name of store.movedBy!) {
      const below = store.below ?? [''];
      expect(foldersOf(store, { HOME: '/h', [name]: '/a, /b' }, 'linux')).toEqual([
        ...below.map((folder) => join('/a', folder)),
        ...below.map((folder) => join('/b', folder)),
      ]);
    }
  });

  it('have the syntax of the platform', () => {
    const [claude, cline] = ['claude-code', 'cline'].map(
      (asked) => WITH_STORE.find(({ id }) => id === asked)!.stores[0]!,
    );
    const windows = { USERPROFILE: 'C:\\Users\\jo', APPDATA: 'C:\\Users\\jo\\AppData\\Roaming' };
    expect(foldersOf(claude!, windows, 'win32')[0]).toBe('C:\\Users\\jo\\.claude\\projects');
    expect(foldersOf(cline!, windows, 'win32')).toContain(
      'C:\\Users\\jo\\AppData\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\tasks',
    );
    expect(foldersOf(cline!, { HOME: '/Users/jo' }, 'darwin')).toContain(
      '/Users/jo/Library/Application Support/Cursor/User/globalStorage/saoudrizwan.claude-dev/tasks',
    );
    expect(foldersOf(claude!, {}, 'linux')).toEqual([]);
  });
});

describe('a name with @', () => {
  it.each([
    ['@last', '5d0c0a4e'], // by what is recorded: all files of this home are of one minute
    ['@claude-code:hand-cut', 'hand-cut'],
    ['@codex', CODEX],
    ['@codex:last', CODEX],
    [`@${CODEX.slice(0, 6)}`, CODEX],
    ['@codex:c617', CODEX],
    ['@rollout-2025-10-31T19', CODEX], // its file
  ])('%s is a file for every command', (name, id) => {
    const path = at(PLACES.find(([, each]) => each.includes(id))![1]);
    for (const words of [['stats'], ['show'], ['check'], ['patch'], ['filter'], ['redact'], ['overview']])
      expect(ctxTrim(...words, name)).toEqual(ctxTrim(...words, path));
    expect(ctxTrim('simulate', 'filter:max-tool-calls=1', name)).toEqual(
      ctxTrim('simulate', 'filter:max-tool-calls=1', path),
    );
    expect(ctxTrim('diff', name, path)).toEqual(ctxTrim('diff', path, path));
    expect(ctxTrim(name)).toEqual(ctxTrim(path));
    expect(ctxTrim('show', `${name}#2`)).toEqual(ctxTrim('show', `${path}#2`));
  });

  it('may mean many', () => {
    const rows = (...words: string[]) =>
      ctxTrim('stats', '--recorded', '--by', 'file', '--format', 'csv', ...words)
        .stdout.trim()
        .split('\n').length - 1;
    expect(rows('@claude-code')).toBe(3); // the sub-agent, too
    expect(rows('@all')).toBeGreaterThan(6);
  });

  it('that means none, or several by chance, says so', () => {
    expect(ctxTrim('stats', '@nothing')).toMatchObject({ status: 2, stdout: '' });
    expect(ctxTrim('stats', '@codx').stderr).toContain('did you mean @codex?');
    expect(ctxTrim('stats', '@session').stderr).toMatch(/@session is the start of 3 ids: .*@qwen-code:session-qwen/);
    expect(ctxTrim('stats', '@codex:last:last')).toMatchObject({ status: 2 });
  });

  it('writes nothing where it only reads', () => {
    const before = stateOf();
    for (const words of [['sessions'], ['stats', '--recorded'], ['show'], ['check'], ['patch'], ['patch', '--diff']])
      ctxTrim(...words, ...(words[0] === 'sessions' ? [] : ['@all']));
    expect(stateOf()).toBe(before);
  });

  it('overwrites a session that changed within the last minute only with --force', () => {
    const [path, log] = [at(PLACES.at(-3)![1]), '@claude-code:hand-cut'];
    const before = readFileSync(path, 'utf8');
    const live = { ...env, SOURCE_DATE_EPOCH: String(Math.round(Date.now() / 1000)) };
    appendFileSync(path, '');
    utimesSync(path, new Date(), new Date());
    const write = (...words: string[]) => runProgram([...words, log], { cwd: home, env: live });
    for (const words of [
      ['patch', '--write'],
      ['check', '--fix=synthetic'],
    ]) {
      expect(write(...words)).toMatchObject({ status: 2, stdout: '' });
      expect(write(...words).stderr).toContain('--force');
      expect(readFileSync(path, 'utf8')).toBe(before);
    }
    expect(write('check', '--fix=synthetic', '--diff').status).toBeLessThan(2);
    expect(write('patch', '--write', '--force').status).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toBe(before);
  });
});

describe('a packed rollout of Codex', () => {
  const NAME = `rollout-2025-10-31T19-02-58-${CODEX}.jsonl`;
  const rollout = readFileSync('fixtures/formats/codex-rollout/vibe-coding-tracker.jsonl');
  const among = (files: Readonly<Record<string, Buffer>>) => {
    const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-codex-'));
    mkdirSync(join(folder, 'sessions/2025'), { recursive: true });
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(join(folder, 'sessions/2025', name), bytes);
      utimesSync(join(folder, 'sessions/2025', name), YEAR_AGO, YEAR_AGO);
    }
    return (...words: string[]) => {
      const { stdout, stderr, status } = runProgram(words, { cwd: home, env: { ...env, CODEX_HOME: folder } });
      const text = (stream: string) => stream.replaceAll(folder, '').replaceAll(`${NAME}.zst`, NAME);
      return { stdout: text(stdout), stderr: text(stderr), status };
    };
  };

  it('is listed, read, named and known like any other', () => {
    const [plain, packed] = [among({ [NAME]: rollout }), among({ [`${NAME}.zst`]: zstdFrame(rollout) })];
    for (const words of [
      ['sessions', 'codex', '--format', 'json'],
      ['stats', '--recorded', '--by', 'file', '--format', 'json', '@codex'],
      ['stats', '--recorded', '--by', 'file', '--format', 'json', '@codex'], // from the cache
      ['show', `@${CODEX.slice(0, 6)}`],
      ['formats', '@codex:last'],
      ['patch', `@codex:${CODEX}`],
      ['complete', 'ctx-trim show @codex:c'],
    ])
      expect([words, packed(...words)]).toEqual([words, plain(...words)]);
    expect(packed('sessions', 'codex').stdout).toContain(CODEX.slice(0, 6));
  });

  it('is passed over beside the same rollout unpacked, as Codex does', () => {
    const both = among({ [NAME]: rollout, [`${NAME}.zst`]: zstdFrame(rollout.subarray(0, 100)) });
    const words = ['stats', '--recorded', '--by', 'file', '--format', 'csv', '@codex'];
    expect(both(...words)).toEqual(among({ [NAME]: rollout })(...words));
  });
});

describe('sessions', () => {
  it('lists the newest first, with what they cost', () => {
    const { sessions } = JSON.parse(ctxTrim('sessions', '--format', 'json').stdout) as {
      sessions: { agent: string; id: string; messages: number; cost_usd: number | null; file: string }[];
    };
    expect(sessions[0]).toMatchObject({ agent: 'droid' });
    expect(sessions.map(({ agent }) => agent)).toEqual(expect.arrayContaining(['codex', 'pi', 'gemini-cli', 'cline']));
    const claude = sessions.find(({ id }) => id === CLAUDE)!;
    const stats = JSON.parse(ctxTrim('stats', '--format', 'json', claude.file).stdout) as {
      totals: { messages: number; cost_usd: number };
    };
    expect([claude.messages, claude.cost_usd]).toEqual([stats.totals.messages, stats.totals.cost_usd]);
    expect(ctxTrim('sessions', 'codex', '--format', 'json').stdout).toMatch(
      new RegExp(`"resume": "cd /\\S+ && codex resume ${CODEX}"`),
    );
    expect(ctxTrim('sessions', 'cline', '--format', 'json').stdout).toContain('"resume": null');
    expect(ctxTrim('sessions', 'codx').stderr).toContain('did you mean codex?');
    expect(ctxTrim('sessions', '--project', 'nowhere').stdout).toBe('');
    const named = ['CLAUDE_P', 'claude_p'].map((part) => ctxTrim('sessions', '--project', part).stdout);
    expect(named[0]).toBe(named[1]); // as always, without regard to case
    expect(named[0]).toContain('claude_p');
  });

  it('says what requests cost that an agent keeps beside the session, or under names of its own', () => {
    const { sessions } = JSON.parse(ctxTrim('sessions', '--format', 'json').stdout) as {
      sessions: { agent: string; file: string; requests: number; tokens: number | null; cost_usd: number | null }[];
    };
    const told = (part: string) => {
      const { requests, tokens, cost_usd } = sessions.find(({ file }) => file.includes(part))!;
      return [requests, tokens, cost_usd];
    };
    // by the prices of https://claude.com/pricing: 5, 25, 6.25 and 0.5 US dollars for a million tokens
    expect(told('/.factory/')).toEqual([1, 41_500, 0.031875]);
    expect(told('/amp/')).toEqual([2, 15_270, 0.0305]); // one that only the ledger has
    expect(told('roo-cline')).toEqual([1, 41_200, 0.0421]); // as it is stated
    expect(told('/.kimi/')).toEqual([1, 9570, null]); // the model is not
    // 1, 5 and 0.2: https://www.alibabacloud.com/help/en/model-studio/models
    expect(told('/.qwen/projects/')).toEqual([2, 10_190, 0.00575]);
    const rows = ctxTrim('stats', '@all', '--by', 'agent', '--format', 'csv').stdout;
    for (const agent of ['amp', 'droid', 'kimi', 'openclaw', 'qwen-code', 'roo-code'])
      expect(rows).toContain(`,${agent},`);
  });

  it('names what is not read', () => {
    const database = at('.local/share/goose/sessions/sessions.db');
    mkdirSync(dirname(database), { recursive: true });
    writeFileSync(database, 'no database');
    writeFileSync(at('.factory/sessions/-w-app/5d0c0a4e-7f0b-4c55-9a51-2f1d7c0e9b11.settings.json'), 'no JSON');
    const { left_out: left } = JSON.parse(ctxTrim('sessions', '--format', 'json').stdout) as { left_out: object[] };
    expect(left[0]).toMatchObject({ agent: 'goose', path: database, sessions: null });
    expect(left[1]).toMatchObject({ why: 'no price is known for aide-gpt-5, so 5 requests of 1 session have no cost' });
    expect(left[2]).toMatchObject({
      why: expect.stringMatching(/^no model is recorded, so \d requests of 4 sessions/),
    });
    const estimated = left.slice(3, 5) as { agent: string; why: string }[];
    expect(estimated.map(({ agent }) => agent)).toEqual(['droid', 'cursor']);
    for (const { why } of estimated) expect(why).toMatch(/^no usage is recorded in it, .*its tokens are estimated$/);
    const why = '1 reply states no usage: figures are without it';
    expect(left.slice(5)).toMatchObject([
      { agent: 'gemini-cli', why },
      { agent: 'qwen-code', why },
    ]);
    const { stderr } = ctxTrim('stats', '@all');
    expect(stderr).toMatch(/sessions\.db is left out: it is .*database.*goose session export/);
    expect(stderr).toMatch(/settings\.json is left out: /);
    expect(ctxTrim('stats', '@last').stderr).not.toContain('goose');
  });

  it('counts what check finds, if it is asked', () => {
    const listed = (...words: string[]) =>
      JSON.parse(ctxTrim('sessions', ...words, '--format', 'json').stdout) as {
        sessions: { file: string; findings: number | null }[];
      };
    expect(listed().sessions.every(({ findings }) => findings === null)).toBe(true);
    const { sessions } = listed('--findings');
    const counts = sessions.map(({ file }) => {
      const { findings } = JSON.parse(ctxTrim('check', file, '--format', 'json').stdout) as { findings: unknown[] };
      return findings.length;
    });
    expect(sessions.map(({ findings }) => findings)).toEqual(counts);
    expect(Math.max(...counts)).toBeGreaterThan(0);
    expect(ctxTrim('sessions', '--findings').stdout).toMatch(/ cost +findings\n/);
  });

  it('prints names that mean one session each', () => {
    const names = [...ctxTrim('sessions').stdout.matchAll(/^@\S*[^\s:](?=\s)/gm)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(9);
    const files = names.map((name) => ctxTrim('formats', '--format', 'json', name));
    expect(files.map(({ status }) => status)).toEqual(names.map(() => 0));
    expect(new Set(files.map(({ stdout }) => stdout)).size).toBe(names.length);
  });

  it('reads a session again only if it changed', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'ctx-trim-cache-'));
    const listed = (...words: string[]) =>
      runProgram(['sessions', 'claude-code', ...words], { cwd: home, env: { ...env, XDG_CACHE_HOME: cache } }).stdout;
    const changed = Math.max(...PLACES.map(([, path]) => statSync(at(path)).ctimeMs));
    await sleep(changed + COARSEST_TIME_MS - Date.now()); // else the second run keeps what had just changed
    const first = listed('--no-cache');
    expect(readdirSync(cache)).toEqual([]);
    expect(listed()).toBe(first);
    const kept = readFileSync(join(cache, 'ctx-trim/sessions.jsonl'), 'utf8');
    expect(kept).toContain(CLAUDE);
    expect(listed()).toBe(first);
    expect(readFileSync(join(cache, 'ctx-trim/sessions.jsonl'), 'utf8')).toBe(kept);
    appendFileSync(at(PLACES.at(-2)![1]), readFileSync('fixtures/formats/claude-code/short.jsonl'));
    expect(listed()).not.toBe(first);
    rmSync(cache, { recursive: true });
  });

  it('warns of sessions that Claude Code is about to delete', () => {
    const path = PLACES.find(([, each]) => each.includes(CLAUDE))![1];
    const { mtimeMs } = statSync(at(path));
    const said = (days: number, settings?: object) => {
      const changed = Number(env['SOURCE_DATE_EPOCH']) - days * 86_400;
      utimesSync(at(path), changed, changed);
      if (settings !== undefined) writeFileSync(at('.claude/settings.json'), JSON.stringify(settings));
      return /Claude Code deletes (\d+)/.exec(ctxTrim('sessions', 'claude-code').stderr)?.[1];
    };
    expect([said(20), said(28), said(33), said(33, { cleanupPeriodDays: 35 })]).toEqual([
      undefined,
      '1',
      undefined,
      '1',
    ]);
    utimesSync(at(path), mtimeMs / 1000, mtimeMs / 1000);
    rmSync(at('.claude/settings.json'));
  });
});
