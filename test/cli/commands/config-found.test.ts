/** A config that nobody named: what it must not do, where it is looked for, and whose it has to be. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { loadCommands } from '../../../src/cli/commands/registry.js';
import { kebab } from '../../../src/options/parse.js';
import { inFolders, inTurn } from '../../shared/in-turn.js';
import { runProgram } from '../../shared/program.js';

const commands = await loadCommands();

const root = mkdtempSync(join(tmpdir(), 'ctx-trim-found-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder, one in it, and one in that, where the program runs. */
let top = '';
let cwd = '';
let count = 0;
beforeEach(() => {
  top = join(root, String(count++));
  cwd = join(top, 'middle/here');
  mkdirSync(cwd, { recursive: true });
  cpSync('fixtures/transforms/patch/interrupted-pair/input.json', join(cwd, 'open.json'));
  writeFileSync(
    join(top, 'evil.mjs'),
    "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('./RAN', import.meta.url), 'x');\nexport " +
      "default () => 'FROM-THE-MODULE';\n",
  );
});

const CONFIG = 'ctx-trim.config.json';
const FOUND = `../../${CONFIG}`;
const config = (value: unknown, file = join(top, CONFIG)) => writeFileSync(file, JSON.stringify(value));
const one = (line: string) => inTurn(cwd, [line])[0]!;

/** With another home folder than the working directory. */
function run(home: string, ...words: string[]) {
  return runProgram(words, { cwd, env: { ...process.env, HOME: home } });
}

const reaching = [
  ...new Map(
    commands
      .flatMap(({ options }) => Object.entries(options))
      .flatMap(([key, { reach }]) => (reach === undefined || key === 'config' ? [] : [[kebab(key), reach] as const])),
  ),
];

it('must not set an option that writes, runs code or reads other files', () => {
  expect(reaching.length).toBeGreaterThan(12);
  const before = readFileSync(join(cwd, 'open.json'), 'utf8');
  mkdirSync(join(top, 'evil'));
  const folders = reaching.map(([name]) => {
    const folder = join(top, 'evil', name);
    mkdirSync(folder);
    cpSync(join(cwd, 'open.json'), join(folder, 'open.json'));
    config({ defaults: { [name]: join(top, 'evil.mjs') } }, join(folder, CONFIG));
    return folder;
  });
  const ran = inFolders(folders.map((folder) => [folder, 'patch open.json']));
  for (const [index, told] of ran.entries()) {
    const [name] = reaching[index]!;
    expect(told).toMatchObject({ status: 2, stdout: '' });
    expect(told.stderr).toMatch(
      new RegExp(`^ctx-trim: ${CONFIG}: \`defaults.${name}\`: this option .* --config ${CONFIG}\n$`),
    );
    expect(readFileSync(join(folders[index]!, 'open.json'), 'utf8')).toBe(before);
  }
  expect(existsSync(join(top, 'RAN'))).toBe(false);
});

it('may where it is named, and in a pipeline that is named', () => {
  config({ defaults: { generator: '../../evil.mjs' }, pipelines: { short: ['patch:generator=../../evil.mjs'] } });
  expect(one(`patch --config ${FOUND} open.json`)).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(join(top, 'RAN'))).toBe(true);
  config({ pipelines: { short: ['patch:generator=../../evil.mjs'] } });
  expect(one('run short open.json').stdout).toContain('FROM-THE-MODULE');
});

it('gives no step or file another meaning', () => {
  const steps = ['patch:generator=../../evil.mjs'];
  for (const [name, said] of [
    ['patch', /`pipelines.patch`: a step has this name/],
    ['open.json', /`pipelines.open.json`: a file has this name/],
  ] as const) {
    config({ pipelines: { [name]: steps } });
    const { status, stdout, stderr } = one('run patch open.json');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(said);
  }
  expect(existsSync(join(top, 'RAN'))).toBe(false);
});

it('names only files of its own folder', () => {
  const paths = ['/etc/hostname', '../x.json', 'a/../../x.json', 'link.json', 'etc/hostname'];
  const named = paths.flatMap((path) => ['prices', 'policies'].map((key) => ({ path, key })));
  const folders = named.map(({ path, key }, index) => {
    const folder = join(top, `escape-${index}`);
    mkdirSync(folder);
    symlinkSync('/etc/hostname', join(folder, 'link.json'));
    symlinkSync('/etc', join(folder, 'etc'));
    config({ [key]: [path] }, join(folder, CONFIG));
    return folder;
  });
  const ran = inFolders(folders.map((folder) => [folder, `stats ${join(cwd, 'open.json')}`]));
  for (const [index, { status, stderr }] of ran.entries()) {
    const { path, key } = named[index]!;
    expect([path, status]).toEqual([path, 2]);
    expect(stderr).toContain(`${CONFIG}: \`${key}[0]\`: \`${path}\` is outside the folder of this config`);
  }
  mkdirSync(join(top, 'prices'));
  config(
    { mine: { input_cost_per_token: 1, output_cost_per_token: 1, litellm_provider: 'x' } },
    join(top, 'prices/mine.json'),
  );
  config({ prices: ['prices/mine.json'], policies: ['query-history'] });
  expect(one('stats --model mine --strict open.json')).toMatchObject({ status: 0, stderr: '' });
});

describe('is looked for', () => {
  const MARK = { defaults: { by: 'nonsense' } };
  const isRead = (told: { readonly stderr: string }) =>
    told.stderr.includes('nonsense') || told.stderr.includes('expected one of');

  it('upward', () => {
    config(MARK);
    expect(isRead(one('stats open.json'))).toBe(true);
  });

  it('up to the repository, whose own config is read', () => {
    config(MARK);
    mkdirSync(join(top, 'middle/.git'));
    expect(isRead(one('stats open.json'))).toBe(false);
    config(MARK, join(top, 'middle', CONFIG));
    expect(isRead(one('stats open.json'))).toBe(true);
    writeFileSync(join(cwd, '.git'), 'gitdir: elsewhere\n'); // a worktree
    expect(isRead(one('stats open.json'))).toBe(false);
  });

  it('up to the home folder, by whatever name, whose own config is read', () => {
    config(MARK);
    symlinkSync(join(top, 'middle'), join(top, 'home'));
    expect(isRead(run(join(top, 'home'), 'stats', 'open.json'))).toBe(false);
    config(MARK, join(top, 'middle', CONFIG));
    expect(isRead(run(join(top, 'home'), 'stats', 'open.json'))).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('is passed over with a warning', () => {
  const passed = (why: string) => `ctx-trim: warning: ${FOUND} skipped: ${why}; to use it: --config ${FOUND}\n`;
  const EVIL = { defaults: { generator: '../../evil.mjs' } };

  it.each([0o666, 0o602])('where others may write it (%o)', (mode) => {
    config(EVIL);
    chmodSync(join(top, CONFIG), mode);
    expect(one('patch --check open.json')).toEqual({
      stdout: 'open.json\n',
      stderr: passed('other users may write it'),
      status: 1,
    });
  });

  it.each([0o777, 0o772])('where others may put another in its place (%o)', (mode) => {
    config(EVIL);
    chmodSync(top, mode);
    expect(one('patch --check open.json').stderr).toBe(passed('other users may write to its folder'));
    chmodSync(top, 0o1777); // as in /tmp: what others put there is theirs
    expect(one('patch --check open.json').stderr).toMatch(/this option runs|may run code/);
  });

  it.skipIf(process.getuid?.() !== 0)('where another user owns its folder, or it in /tmp', () => {
    config(EVIL);
    chownSync(top, 12345, 12345);
    expect(one('patch --check open.json').stderr).toBe(passed('other users may write to its folder'));
    chownSync(top, 0, 0);
    chmodSync(top, 0o1777);
    chownSync(join(top, CONFIG), 12345, 12345);
    expect(one('patch --check open.json').stderr).toBe(passed('another user owns it'));
  });

  it.skipIf(process.getuid?.() !== 0)('where a group may, unless it is nobody but the user', () => {
    config(EVIL);
    chmodSync(join(top, CONFIG), 0o660);
    expect(one('patch --check open.json').stderr).toBe(passed('other users may write it'));
  });

  it.skipIf(process.getuid?.() !== 0)('where another user owns it, or a link to ours', () => {
    config(EVIL);
    chownSync(join(top, CONFIG), 12345, 12345);
    expect(one('patch --check open.json').stderr).toBe(passed('another user owns it'));
    rmSync(join(top, CONFIG));
    config(EVIL, join(top, 'ours.json'));
    symlinkSync('ours.json', join(top, CONFIG));
    spawnSync('chown', ['-h', '12345', join(top, CONFIG)]);
    expect(one('patch --check open.json').stderr).toBe(passed('another user owns it'));
  });

  it('where it is not a regular file', () => {
    spawnSync('mkfifo', [join(top, CONFIG)]);
    expect(one('patch --check open.json')).toMatchObject({ stderr: passed('it is not a regular file'), status: 1 });
  });

  it('and the next one counts', () => {
    config(EVIL);
    chmodSync(join(top, CONFIG), 0o666);
    config({ defaults: { by: 'nonsense' } }, join(top, 'ctx-trim.config.yaml'));
    expect(one('stats open.json').stderr).toMatch(/expected one of/);
  });
});
