/** `check` on sessions, `fork`, and `sessions --grep`, in a home folder with sessions of three agents. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { examineSession } from '../../../src/engine/check/sessions.js';
import { LOADERS } from '../../shared/loaders.js';
import { runProgram } from '../../shared/program.js';

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-again-'));
const env = { HOME: home, PATH: process.env['PATH'], SOURCE_DATE_EPOCH: '1795305600', TZ: 'UTC' };
const run = (...words: string[]) => runProgram(words, { cwd: home, env });
const CLAUDE = '.claude/projects/-w-app/aaaaaaaa-0000-4000-8000-000000000001.jsonl';
const CODEX = '.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-01996135-afde-7911-97f0-d863511eca56.jsonl';
const PI = '.pi/agent/sessions/--w-app--/2026-01-01T00-00-00-000Z_01996135-afde-7911-97f0-d863511eca57.jsonl';
const SOURCES = {
  [CLAUDE]: 'claude-code/hand-interrupted.jsonl',
  [CODEX]: 'codex-rollout/vibe-coding-tracker.jsonl',
  [PI]: 'pi-session/hand-v3.jsonl',
};
const textOf = (path: string) => readFileSync(join(home, path), 'utf8');
const loadsOf = (path: string) => {
  const bytes = readFileSync(path);
  return LOADERS[examineSession(bytes, path)!.agent as keyof typeof LOADERS](bytes.toString());
};

function put(path: string, text: string): void {
  mkdirSync(join(home, dirname(path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

beforeAll(() => {
  for (const [path, source] of Object.entries(SOURCES)) {
    mkdirSync(join(home, dirname(path)), { recursive: true });
    cpSync(join('fixtures/formats', source), join(home, path));
    utimesSync(join(home, path), 1_700_000_000, 1_700_000_000);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('check of sessions in many files', () => {
  const storage = '.local/share/opencode/storage';
  const session = `${storage}/session/global/ses_1.json`;
  const torn = `${storage}/part/msg_2/prt_2.json`;
  const time = { created: 1 };
  const files = {
    [session]: { id: 'ses_1', projectID: 'global', directory: '/w', time },
    [`${storage}/message/ses_1/msg_1.json`]: { id: 'msg_1', sessionID: 'ses_1', role: 'user', time },
    [`${storage}/message/ses_1/msg_2.json`]: { id: 'msg_2', sessionID: 'ses_1', role: 'assistant', time },
    [`${storage}/part/msg_1/prt_1.json`]: {
      id: 'prt_1',
      sessionID: 'ses_1',
      messageID: 'msg_1',
      type: 'text',
      text: 'Hi',
    },
  };

  it('finds an empty file, and moves it aside', () => {
    for (const [path, value] of Object.entries(files)) {
      mkdirSync(join(home, dirname(path)), { recursive: true });
      writeFileSync(join(home, path), JSON.stringify(value));
    }
    mkdirSync(join(home, dirname(torn)), { recursive: true });
    writeFileSync(join(home, torn), '');
    const found = run('check', '--rule', 'resume/*', session);
    expect(found.status).toBe(1);
    expect(found.stdout.replace(/\s+/g, ' ')).toContain('prt_2.json is not JSON: the agent does not open the session');
    expect(run('stats', session).stderr).toContain('a file of it is not JSON, and left out');
    const fixed = run('check', '--fix', '--rule', 'resume/*', session);
    expect(fixed.status).toBe(0);
    expect(fixed.stdout).toContain('1 finding fixed');
    expect([existsSync(join(home, torn)), existsSync(join(home, `${torn}.torn`))]).toEqual([false, true]);
    expect(run('check', '--rule', 'resume/*', session).status).toBe(0);
  });
});

describe('check', () => {
  const path = 'session.jsonl';
  const records = () =>
    textOf(CLAUDE)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const broken = () => {
    const lines = records();
    const torn = { ...lines.at(-2)!, parentUuid: 'lost' };
    const all = [...lines.slice(0, -2), torn, lines.at(-1)!];
    return `${all.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"us`;
  };
  beforeEach(() => writeFileSync(join(home, path), broken()));

  it('says how many messages would load, in every report', () => {
    const { stdout, status } = run('check', path);
    expect(status).toBe(1);
    expect(stdout).toMatch(/resume\/parent-missing/);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/\d of \d messages would load/);
    expect(stdout).toMatch(/resume\/line-torn/);
    for (const reporter of ['json', 'sarif', 'junit', 'github', 'gitlab'])
      expect(run('check', '--reporter', reporter, path).stdout, reporter).toContain('resume/parent-missing');
    expect(run('check', '--disable', 'resume/*', path).stdout).not.toContain('resume/');
    expect(run('rules', 'resume/parent-missing').stdout).toContain('anthropics/claude-code#22526');
  });

  it('mends them, keeps what it cuts, and then finds nothing', () => {
    const { stderr } = run('check', '--fix', path);
    expect(stderr).toContain(`are kept in ${path}.torn`);
    expect(textOf(`${path}.torn`)).toBe('{"type":"us\n');
    expect(loadsOf(join(home, path))).toEqual(loadsOf(join(home, CLAUDE)));
    expect(run('check', '--rule', 'resume/*', path)).toMatchObject({ status: 0 });
    const mended = textOf(path);
    run('check', '--fix', path);
    expect(textOf(path)).toBe(mended);
    rmSync(join(home, `${path}.torn`));
  });

  it('writes nothing without --fix, nor for a preview, and mends a pipe', () => {
    const { stderr } = run('check', '--fix', '--diff', path);
    expect(stderr).toContain('links and lines are not part of this diff');
    expect(textOf(path)).toBe(broken());
    const piped = runProgram(['check', '--fix'], { cwd: home, env, input: broken() });
    expect(LOADERS['claude-code'](piped.stdout)).toEqual(loadsOf(join(home, CLAUDE)));
    expect(piped.stderr).toContain('bytes of broken lines are left out');
    run('check', '--fix', '-o', 'out.jsonl', path);
    expect(textOf('out.jsonl')).toBe(piped.stdout);
  });
});

describe.each([
  ['claude-code', CLAUDE, 'claude --resume'],
  ['codex', CODEX, 'codex resume'],
  ['pi', PI, 'pi --session'],
])('fork of %s', (agent, path, resume) => {
  const made: string[] = [];
  const fork = (...words: string[]) => {
    const { stdout, stderr, status } = run('fork', path, '--format', 'json', ...words);
    if (status !== 0) throw new Error(stderr);
    const document = JSON.parse(stdout) as {
      id: string;
      files: string[];
      resume: string;
      messages: number;
      of: number;
    };
    made.push(...document.files);
    return document;
  };
  beforeEach(() => {
    for (const file of made.splice(0)) rmSync(file, { force: true });
  });

  it('loads what the old one does, under a new id of its form, and leaves the old one', () => {
    const before = textOf(path);
    const { id, files, messages, of, resume: command } = fork();
    expect(files).toHaveLength(1);
    expect(loadsOf(files[0]!)).toEqual(loadsOf(join(home, path)));
    expect(messages).toBe(of);
    expect(command).toContain(`${resume} ${id}`);
    expect(id).toMatch(agent === 'claude-code' ? /^.{14}4/ : /^.{14}7/);
    expect(basename(files[0]!)).toContain(id);
    expect(textOf(path)).toBe(before);
    expect(run('check', '--rule', 'resume/*', files[0]!)).toMatchObject({ status: 0 });
    const listed = JSON.parse(run('sessions', agent, '--format', 'json').stdout) as { sessions: { id: string }[] };
    expect(listed.sessions.map((session) => session.id)).toContain(id);
  });

  it('ends with a message or a turn, and is a new one each time', () => {
    const { messages: all } = JSON.parse(run('show', '--format', 'json', path).stdout).transcripts[0] as {
      messages: { index: number; role: string }[];
    };
    const spoken = all.filter(({ role }) => role !== 'meta' && role !== 'system');
    const { index } = spoken[Math.floor(spoken.length / 2)]!;
    const half = fork('--until', `#${index}`);
    const [some, whole] = [loadsOf(half.files[0]!), loadsOf(join(home, path))];
    expect(some.length).toBeLessThan(whole.length);
    expect(some).toEqual(whole.slice(0, some.length));
    const again = fork('--until', `#${index}`);
    expect(again.id).not.toBe(half.id);
    expect(loadsOf(fork('--turn', '1').files[0]!).length).toBeGreaterThan(0);
    expect(run('fork', path, '--until', '#99999')).toMatchObject({ status: 2 });
    expect(run('fork', path, '--until', 'there')).toMatchObject({ status: 2 });
  });

  it('writes nothing in a preview, over a file, or while the agent may write', () => {
    const { files, id } = fork('--dry-run');
    expect(existsSync(files[0]!)).toBe(false);
    const told = run('fork', path, '--dry-run').stdout; // another run, another id
    expect(told).toContain('<new id>');
    expect(told).not.toMatch(new RegExp(`${id}|remove:|[\\da-f]{8}-[\\da-f]{4}.*\\.jsonl$`, 'm'));
    writeFileSync(join(home, 'there.jsonl'), 'mine');
    expect(run('fork', path, '-o', 'there.jsonl').stderr).toContain('it is there already');
    expect(textOf('there.jsonl')).toBe('mine');
    utimesSync(join(home, path), 1795305590, 1795305590);
    expect(run('fork', path).stderr).toContain('--force');
    expect(run('fork', path, '--dry-run')).toMatchObject({ status: 0, stderr: expect.stringContaining('--force') });
    expect(run('fork', path, '--dry-run', '--force')).toMatchObject({ status: 0 });
    utimesSync(join(home, path), 1_700_000_000, 1_700_000_000);
  });

  it('goes on in another project', () => {
    const { files, resume: command } = fork('--project', join(home, 'other'));
    expect(command).toContain(`cd ${join(home, 'other')} && `);
    expect(readFileSync(files[0]!, 'utf8')).toContain(`"cwd":"${join(home, 'other')}"`);
    expect(loadsOf(files[0]!)).toEqual(loadsOf(join(home, path)));
  });
});

it('fork shortens a session by steps, and takes its sub-agents along', () => {
  const beside = join(home, CLAUDE.replace('.jsonl', ''), 'subagents');
  mkdirSync(beside, { recursive: true });
  const [, record] = textOf(CLAUDE).split('\n');
  writeFileSync(join(beside, 'agent-main.jsonl'), `${record!.replace(/"sessionId":"[^"]*"/, '"sessionId":"old"')}\n`);
  writeFileSync(join(beside, 'agent-nobody.jsonl'), `${record}\n`);
  const { stdout } = run('fork', CLAUDE, '--steps', 'filter:max-tool-calls=0', '--format', 'json');
  const { files, messages, of, id } = JSON.parse(stdout) as {
    files: string[];
    messages: number;
    of: number;
    id: string;
  };
  expect(messages).toBeLessThan(of);
  expect(files.map((file) => basename(file))).toEqual([`${id}.jsonl`, 'agent-main.jsonl']); // the branch is its name
  for (const file of files) expect(readFileSync(file, 'utf8')).toContain(`"sessionId":"${id}"`);
});

it('fork counts tokens for the steps that go by them, and takes steps with several options', () => {
  const path = 'logs/long.jsonl';
  const lines = textOf(CLAUDE).split('\n');
  const at = lines.findIndex((line) => line.includes('"tool_result"'));
  const long = (text: string) => text.replace(/("type":"tool_result".*?"content":)(?:"[^"]*"|\[.*?\])/, '$1"LONG"');
  put(
    path,
    lines.map((line, index) => (index === at ? long(line).replace('LONG', 'word '.repeat(9000)) : line)).join('\n'),
  );
  utimesSync(join(home, path), 1_700_000_000, 1_700_000_000);
  const forked = (steps: string, name: string) => {
    expect(run('fork', path, '--steps', steps, '-o', name)).toMatchObject({ status: 0 });
    return textOf(name).length;
  };
  const whole = textOf(path).length;
  expect(forked('truncate:unit=tokens,max-length=100', 'tokens.jsonl')).toBeLessThan(whole / 2);
  expect(forked('stale, truncate:max-length=100,keep=head, retries:drop', 'head.jsonl')).toBeLessThan(whole / 2);
  expect(forked('fit:max-tokens=4000', 'fit.jsonl')).toBeLessThan(whole / 2);
  expect(run('fork', path, '--steps', 'stale, keep=head').stderr).toContain('unknown step `keep=head`');
  expect(run('fork', path, '--steps', 'truncate:max-length=9,kep=head').stderr).toContain('no option `kep`');
});

it('fork copies the tasks of a whole session, and says which calls it would leave open', () => {
  const old = basename(CLAUDE, '.jsonl');
  const [tasks, todos] = [join(home, '.claude/tasks', old), join(home, `.claude/todos/${old}-agent-${old}.json`)];
  for (const path of [join(tasks, '1.json'), todos]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{"id":"1"}');
  }
  const made = JSON.parse(run('fork', CLAUDE, '--format', 'json').stdout) as { files: string[]; id: string };
  const { files, id } = made;
  expect(files).toContain(join(home, '.claude/tasks', id, '1.json'));
  expect(files).toContain(join(home, `.claude/todos/${id}-agent-${id}.json`));
  for (const file of files) expect(existsSync(file), file).toBe(true);
  const { messages } = JSON.parse(run('show', '--format', 'json', CODEX).stdout).transcripts[0] as {
    messages: { index: number; parts: { type: string }[] }[];
  };
  const { index } = messages.find(({ parts }) => parts.some(({ type }) => type === 'call'))!;
  const open = run('fork', CODEX, '--until', `#${index}`, '--dry-run');
  const [, end] = /a call is left without a result; --until '#(\d+)' keeps/.exec(open.stderr)!;
  expect(run('fork', CODEX, '--until', `#${end}`, '--dry-run').stderr).not.toContain('without a result');
  expect(run('fork', CLAUDE, '--turn', '1', '--dry-run').stderr).toContain('left with the old session: the todo list');
});

it('fork says what it copies, and what stays with the old session', () => {
  const old = basename(CLAUDE, '.jsonl');
  const folder = CLAUDE.replace('.jsonl', '');
  for (const path of ['subagents/deep/agent-1st.jsonl', 'tool-results/x.txt', '../../../file-history/OLD/a@v1'])
    put(join(folder, path.replace('OLD', old)), '{"sessionId":"old"}');
  put('.claude/plans/calm-sea.md', 'a plan');
  const named = { slug: 'calm-sea', teamName: 'crew' };
  const [first, ...rest] = textOf(CLAUDE)
    .split('\n')
    .filter((line) => line.includes('"message"'));
  const bridge = '{"type":"bridge-session","sessionId":"old","bridgeSessionId":"b"}';
  const lines = [JSON.stringify({ ...JSON.parse(first!), ...named, note: '1st' }), bridge, ...rest].join('\n');
  const path = CLAUDE.replace(basename(CLAUDE), `${old.replace('1', '2')}.jsonl`);
  put(path, lines);
  utimesSync(join(home, path), 1_700_000_000, 1_700_000_000);
  cpSync(join(home, folder), join(home, path.replace('.jsonl', '')), { recursive: true });
  const { stdout, stderr } = run('fork', path, '--format', 'json');
  const { files } = JSON.parse(stdout) as { files: string[] };
  expect(stderr).toMatch(/copied, too: \d sub-agent file/);
  expect(files).toContain(files[0]!.replace('.jsonl', '/subagents/deep/agent-1st.jsonl'));
  for (const left of ['long results, where messages name them (', 'the plan (']) expect(stderr).toContain(left);
  expect(run('fork', CLAUDE, '--dry-run').stderr).toContain('copies of files for going back (');
  const made = readFileSync(files[0]!, 'utf8');
  for (const gone of ['calm-sea', 'crew', 'bridge']) expect(made).not.toContain(gone);
});

it('sessions --grep lists sessions with the lines that match, and how to go on', () => {
  const word = 'Let me look';
  const { stdout } = run('sessions', 'pi', '--grep', word);
  expect(stdout).toMatch(/^pi \w+ .*\n( {2}#\d+ .*\n)+/);
  expect(stdout).toContain(word);
  expect(stdout).toContain('pi --session');
  const { sessions } = JSON.parse(run('sessions', '--grep', word, '--format', 'json').stdout) as {
    sessions: { matches: { text: string }[]; resume: string }[];
  };
  expect(sessions.length).toBeGreaterThan(0);
  for (const { matches } of sessions) expect(matches.length).toBeGreaterThan(0);
  expect(run('sessions', '--grep', 'no such words anywhere')).toMatchObject({ stdout: '', status: 0 });
  expect(run('sessions', '--grep', '(').status).toBe(2);
});

it('sessions --findings counts what keeps the agent from loading one, as check does', () => {
  const path = '.claude/projects/-w-lost/5e55a0aa-0000-4000-8000-000000000001.jsonl';
  put(path, readFileSync('fixtures/resume/parent-missing.jsonl', 'utf8'));
  const { sessions } = JSON.parse(run('sessions', 'claude-code', '--findings', '--format', 'json').stdout);
  const listed = sessions.find(({ file }: { file: string }) => file.endsWith(path));
  rmSync(join(home, path));
  expect(listed.findings).toBe(1);
});
