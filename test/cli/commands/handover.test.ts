/** `handover`: where it writes, what it refuses, and what it prints. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { jsonSchemaOf } from '../../../src/documents/schemas/index.js';
import { memoryTerminal } from '../../shared/terminal.js';

const SESSION = readFileSync('fixtures/formats/claude-code/short.jsonl', 'utf8');
const isValid = new Ajv2020({ strict: false }).compile(jsonSchemaOf('handover', true));

interface Report {
  readonly id: string;
  readonly file: string;
  readonly resume: string | null;
  readonly remove: string;
  readonly written: boolean;
  readonly messages: number;
  readonly lost: readonly { readonly what: string }[];
}

let home = '';
let work = '';
let session = '';

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-handover-')));
  work = join(home, 'work');
  session = join(home, '.claude/projects/-work/29ccd257-68b1-427f-ae5f-6524b7cb6f20.jsonl');
  mkdirSync(work);
  mkdirSync(dirname(session), { recursive: true });
  writeFileSync(session, SESSION);
  utimesSync(session, 1e9, 1e9);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(...words: string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: work, env: { HOME: home, CTX_TRIM_CACHE: 'off' } });
  const code = await runIn(terminal, ['handover', ...words]);
  return { code, out: out(), err: err() };
}

async function report(...words: string[]): Promise<Report> {
  const { out, err } = await run(...words, '--format', 'json');
  const value = JSON.parse(out || `"${err}"`) as Report;
  expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true);
  return value;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

describe('writes where the agent looks', () => {
  it.each([
    [
      'codex',
      /\/\.codex\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-\d{4}(?:-\d\d){2}T\d\d(?:-\d\d){2}-<id>\.jsonl$/,
      'codex resume <id>',
    ],
    [
      'pi',
      /\/\.pi\/agent\/sessions\/--[^/]+-work--\/\d{4}(?:-\d\d){2}T\d\d(?:-\d\d){2}-\d{3}Z_<id>\.jsonl$/,
      'pi --session <id>',
    ],
    ['claude-code', /\/\.claude\/projects\/-[^/]+-work\/<id>\.jsonl$/, 'claude --resume <id>'],
    [
      'gemini-cli',
      /\/\.gemini\/tmp\/[\da-f]{64}\/chats\/session-\d{4}(?:-\d\d){2}T\d\d-\d\d-[\da-f]{8}\.jsonl$/,
      'gemini --resume <id>',
    ],
    ['opencode', /\/work\/opencode-<id>\.json$/, 'opencode import <file> && opencode --session <id>'],
  ])('%s', async (agent, place, resume) => {
    const before = filesBelow(home);
    const { id, file, remove, resume: told } = await report('@last', '--to', agent, '--project', work);
    expect(file.replace(id, '<id>')).toMatch(place);
    expect(told).toBe(`cd ${work} && ${resume.replace('<file>', file).replaceAll('<id>', id)}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(filesBelow(home).filter((path) => !before.includes(path))).toEqual([file]);
    execFileSync('sh', ['-c', remove.split(' && ')[0]!]); // the rest asks opencode itself
    expect(filesBelow(home)).toEqual(before);
  });

  it('in the folder that Gemini CLI gave the project', async () => {
    mkdirSync(join(home, '.gemini'));
    writeFileSync(join(home, '.gemini/projects.json'), JSON.stringify({ projects: { [work]: 'my-work' } }));
    const { file } = await report(session, '--to', 'gemini-cli', '--project', work);
    expect(file).toContain('/.gemini/tmp/my-work/chats/');
  });

  it('in the folder of the session, of which it warns if it is not here', async () => {
    const { code, out, err } = await run(session, '--to', 'pi');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^wrote \d+ messages as session [\da-f-]+: .*--.*\ngo on: {2}cd .* && pi --session [\da-f-]+\nremove: rm .*\n$/,
    );
    expect(err).toContain('warning: there is no folder ');
  });
});

it('has the times of the session, and a new id each time', async () => {
  const [first, second] = [await report(session, '--to', 'codex'), await report(session, '--to', 'codex')];
  expect(first.id).not.toBe(second.id);
  const times = readFileSync(first.file, 'utf8').match(/"timestamp":"[^"]+"/g)!;
  const recorded = new Set(SESSION.match(/"timestamp":"[^"]+"/g));
  expect(times.filter((time) => !recorded.has(time))).toEqual([]);
  expect(readFileSync(session, 'utf8')).toBe(SESSION);
});

it('writes nothing with --dry-run, and says what it would', async () => {
  const before = filesBelow(home);
  const { written, file, messages } = await report(session, '--to', 'codex', '--dry-run');
  expect([written, existsSync(file), filesBelow(home)]).toEqual([false, false, before]);
  expect(messages).toBeGreaterThan(0);
  for (const agent of ['codex', 'gemini-cli', 'opencode']) {
    const { out } = await run(session, '--to', agent, '--dry-run');
    expect(out).toMatch(/^would write \d+ messages as a new session: .*<new id>.*\ngo on: .*<new id>/);
    expect(out).not.toContain('remove:');
    expect(out.replaceAll(/29ccd257\S*/g, '')).not.toMatch(/[\da-f]{8}(?:-|\.jsonl)/); // each run has another id
  }
});

it('overwrites nothing', async () => {
  const file = join(work, 'there.jsonl');
  writeFileSync(file, 'mine');
  for (const words of [['--force'], []]) {
    const { code, out, err } = await run(session, '--to', 'codex', '-o', file, ...words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(`ctx-trim: ${file}: it exists, and nothing is overwritten\n`);
  }
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it('takes no session that changed within the last minute, but with --force', async () => {
  writeFileSync(session, SESSION);
  const { code, err } = await run('@last', '--to', 'codex');
  expect(code).toBe(2);
  expect(err).toContain('it changed within the last minute');
  expect(existsSync(join(home, '.codex'))).toBe(false);
  expect((await report('@last', '--to', 'codex', '--force')).written).toBe(true);
  expect((await report('@last', '--to', 'codex', '--dry-run')).written).toBe(false);
});

it('lists what is lost, and fails where that is content', async () => {
  const audio = { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } }] };
  writeFileSync(join(work, 'run.json'), JSON.stringify([audio, { role: 'assistant', content: 'Hm.' }]));
  const { code, err } = await run('run.json', '--to', 'codex');
  expect(code).toBe(1);
  expect(err).toContain('run.json:1: not converted: audio');
  expect(err).toContain('the folder of the project, which is not recorded');
  expect(err).toContain('when it was said, which is not recorded');
});

it.each([
  [['--to', 'codex'], 'missing required argument'],
  [['a', 'b', '--to', 'codex'], 'too many arguments'],
  [['x.jsonl'], 'handover needs --to <agent>: claude-code, codex, pi, opencode, gemini-cli, atif'],
  [['x.jsonl', '--to', 'cursor'], 'handover needs --to <agent>'],
])('refuses %j', async (words, text) => {
  const { code, err } = await run(...words);
  expect(code).toBe(2);
  expect(err).toContain(text);
});

it('refuses a file of several transcripts', async () => {
  const line = `${JSON.stringify({
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'y' },
    ],
  })}\n`;
  writeFileSync(join(work, 'runs.jsonl'), line + line);
  const { code, err } = await run('runs.jsonl', '--to', 'codex');
  expect([code, err]).toEqual([2, 'ctx-trim: runs.jsonl: it holds 2 transcripts; write one to a file of its own\n']);
});

it('writes no session without messages, and says which file has none', async () => {
  const files = { 'empty.jsonl': '', 'other.json': '{"a":1}', 'none.json': '{"messages":[]}' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  const told = async (name: string) => (await run(name, '--to', 'claude-code')).err;
  expect(await told('empty.jsonl')).toBe('ctx-trim: empty.jsonl: the input is empty\n');
  expect(await told('other.json')).toMatch(/^ctx-trim: other\.json:1:1: the JSON holds no messages/);
  const none = 'ctx-trim: none.json: it holds no messages, so there is no session to write\n';
  expect(await told('none.json')).toBe(none);
  const { terminal, out, err } = memoryTerminal({ cwd: work, env: { HOME: home } });
  expect(await runIn(terminal, ['convert', '--to', 'claude-code', 'none.json'])).toBe(2);
  expect([out(), err()]).toEqual(['', none]);
  expect(await runIn(terminal, ['convert', '--to', 'atif', 'none.json'])).toBe(0); // a document can be without
});

it('fork says which file is no session', async () => {
  const other = join(work, 'other.json');
  writeFileSync(other, '{"a":1}');
  utimesSync(other, 1e9, 1e9);
  const { terminal, err } = memoryTerminal({ cwd: work, env: { HOME: home } });
  expect(await runIn(terminal, ['fork', 'other.json', '--dry-run'])).toBe(2);
  expect(err()).toMatch(/^ctx-trim: other\.json: fork takes sessions of /);
});
