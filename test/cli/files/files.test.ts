/** Where output goes: what is written to, what is refused in one line, and that nothing is left beside a file then. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { plainWords, runProgram } from '../../shared/program.js';

const BIN = resolve('bin/ctx-trim.js');
const OPEN_CALL =
  '[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f",' +
  '"arguments":"{}"}}]}]';
const WHOLE = '[{"role":"user","content":"a"}]\n';
const isRoot = process.getuid?.() === 0;
const onPosix = describe.skipIf(process.platform === 'win32');
const canBeFull = statSync('/dev/full', { throwIfNoEntry: false })?.isCharacterDevice() === true;

const folders: string[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-files-'));
  folders.push(folder);
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'a.json'), OPEN_CALL, { mode: 0o644 });
  writeFileSync(join(folder, 'victim'), 'precious');
});
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
/** A pipe that nobody writes to would be waited for without end: such a run is ended. */
const AGES = 600_000;

function run(line: string, { asNobody = false, limit = '', before = '' } = {}) {
  const plain = (asNobody && isRoot) || `${limit}${before}` !== '' ? undefined : plainWords(`ctx-trim ${line}`);
  if (plain !== undefined) return runProgram(plain, { cwd: folder });
  const words = `${limit}${before}exec "${process.execPath}" "${BIN}" ${line}`;
  const user = asNobody && isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const { status, stdout, stderr } = spawnSync('sh', ['-c', words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: AGES,
    ...user,
  });
  return { status, stdout, stderr };
}

/** All that is in the folder: names, kinds, modes and contents. */
function inventory(): string[] {
  return readdirSync(folder).map((name) => {
    const stats = lstatSync(at(name));
    const content = stats.isFile()
      ? readFileSync(at(name), 'utf8')
      : stats.isSymbolicLink()
        ? readlinkSync(at(name))
        : '';
    return `${name} ${stats.mode.toString(8)} ${stats.ino} ${content}`;
  });
}

/** By name: what there is, the command, what stderr says. */
type Refusal = readonly [what: string, make: () => void, line: string, says: string];

const none = () => {};
const refusals: readonly Refusal[] = [
  [
    'stdin by its path',
    none,
    'patch -w /dev/stdin < a.json',
    '--write needs a file, and /dev/stdin is a pipe or a device',
  ],
  [
    'stdin by its number',
    none,
    'patch -w /dev/fd/0 < a.json',
    '--write needs a file, and /dev/fd/0 is a pipe or a device',
  ],
  [
    'stdin behind a link',
    () => symlinkSync('/dev/stdin', at('in.json')),
    'patch -w in.json < a.json',
    '--write needs a file, and in.json is a pipe or a device',
  ],
  [
    'stdin to be mended',
    none,
    'check --fix /dev/stdin < a.json',
    '--write needs a file, and /dev/stdin is a pipe or a device',
  ],
  ['stdin', none, 'patch -w - < a.json', '--write needs a file, not stdin'],
  [
    'a pipe, and does not wait for it',
    () => void spawnSync('mkfifo', [at('p.json')]),
    'patch -w p.json',
    '--write needs a file, and p.json is a pipe or a device',
  ],
  ['a device', none, 'patch -w /dev/null', '--write needs a file, and /dev/null is a pipe or a device'],
  [
    'a backup that is there',
    () => writeFileSync(at('a.json.bak'), 'older'),
    'patch -w --backup .bak a.json',
    'a.json: cannot write it: its backup a.json.bak is there already; move that away, or choose another suffix ' +
      'with --backup',
  ],
  [
    'a backup that is a link',
    () => symlinkSync('victim', at('a.json.bak')),
    'patch -w --backup .bak a.json',
    'a.json: cannot write it: its backup a.json.bak is there already; move that away, or choose another suffix ' +
      'with --backup',
  ],
  [
    'a backup that is a link to nothing',
    () => symlinkSync('not-yet', at('a.json.bak')),
    'patch -w --backup .bak a.json',
    'a.json: cannot write it: its backup a.json.bak is there already; move that away, or choose another suffix ' +
      'with --backup',
  ],
  [
    'a backup without a suffix',
    none,
    "patch -w --backup '' a.json",
    '--backup takes a suffix for the name of the old file, such as .bak',
  ],
  [
    'a backup elsewhere',
    none,
    'patch -w --backup /../x a.json',
    '--backup takes a suffix for the name of the old file, such as .bak',
  ],
  [
    'a file with two names',
    () => linkSync(at('a.json'), at('b.json')),
    'patch -w a.json',
    'a.json: cannot write it: it has 2 hard links, which would part; write to a new file, and copy that over it',
  ],
  [
    'an output with two names',
    () => linkSync(at('victim'), at('b.json')),
    'patch -o b.json a.json',
    'b.json: cannot write it: it has 2 hard links, which would part; write to a new file, and copy that over it',
  ],
  ['a folder', none, 'patch -o . a.json', '.: cannot write it: it is a directory; name a file in it'],
  [
    'a folder that is not there',
    none,
    'patch -o x/ a.json',
    'x/: cannot write it: it names a folder; name a file in it',
  ],
  ['a file in no folder', none, 'patch -o x/y a.json', 'x/y: cannot write it: there is no such folder'],
  [
    'a file in a file',
    none,
    'patch -o victim/y a.json',
    'victim/y: cannot write it: a part of its path is not a folder',
  ],
  [
    'a link to nothing',
    () => symlinkSync('not-yet', at('out.json')),
    'patch -o out.json a.json',
    'out.json: cannot write it: it is a symbolic link to a file that is not there',
  ],
  [
    'a link to itself',
    () => symlinkSync('out.json', at('out.json')),
    'patch -o out.json a.json',
    'out.json: cannot write it: too many symbolic links',
  ],
  [
    'its input',
    none,
    'patch -o a.json a.json',
    'a.json: cannot write it: it is one of the inputs; use --write to rewrite in place',
  ],
  [
    'its input behind a link',
    () => symlinkSync('a.json', at('out.json')),
    'convert --to anthropic-messages -o out.json a.json',
    'out.json: cannot write it: it is one of the inputs; use --write to rewrite in place',
  ],
  [
    'a report over its input',
    none,
    'check --reporter sarif=./a.json a.json',
    './a.json: cannot write it: it is one of the inputs; use --write to rewrite in place',
  ],
  [
    'a baseline over its input',
    none,
    'check --write-baseline a.json a.json',
    'a.json: cannot write it: it is one of the inputs; use --write to rewrite in place',
  ],
  ['a report in no folder', none, 'check --reporter junit=x/y a.json', 'x/y: cannot write it: there is no such folder'],
  [
    'a descriptor that is not open',
    none,
    'patch -o /dev/fd/77 a.json',
    '/dev/fd/77: cannot write it: it is not open for writing',
  ],
];

onPosix('it refuses in one line, and nothing is changed or left', () => {
  it.each(refusals)('%s', (what, make, line, says) => {
    make();
    const before = inventory();
    // files that are gone had the same number on the disk: a process that ran before may take an output for one of them
    expect(run(line, { before: what.includes('its input') ? 'true; ' : '' })).toEqual({
      status: 2,
      stdout: '',
      stderr: `ctx-trim: ${says}\n`,
    });
    expect(inventory()).toEqual(before);
  });

  it.each([
    ['an input that is broken', () => writeFileSync(at('b.json'), '[{"role":'), 'patch -o out.json a.json b.json'],
    ['one that is not there', none, 'patch -o out.json a.json nothing.json'],
    [
      'a generator that fails',
      () => writeFileSync(at('g.mjs'), 'export default () => 5'),
      'patch -w --generator g.mjs a.json',
    ],
  ])('%s', (_, make, line) => {
    make();
    const before = inventory();
    const { status, stderr } = run(line);
    expect([status, stderr.split('\n').length]).toEqual([2, 2]);
    expect(inventory()).toEqual(before);
  });

  it.each(['patch -w --backup .bak', 'patch -o out.jsonl'])('a disk that takes no more: %s', (line) => {
    for (const size of [100_000, 6_000_000]) {
      const large = { messages: [{ role: 'user', content: 'x'.repeat(size) }, ...JSON.parse(OPEN_CALL)] };
      writeFileSync(at('b.jsonl'), `${JSON.stringify(large)}\n`);
      const before = inventory();
      const name = line.includes('out') ? 'out.jsonl' : 'b.jsonl';
      expect(run(`${line} b.jsonl`, { limit: 'ulimit -f 16; ' })).toEqual({
        status: 2,
        stdout: '',
        stderr: `ctx-trim: ${name}: cannot write it: it would be larger than a file may be\n`,
      });
      expect(inventory()).toEqual(before);
    }
  });

  it.skipIf(!isRoot)(
    "a file of another user (only root can make one), which stays that user's where root writes",
    () => {
      chmodSync(folder, 0o777);
      chmodSync(at('a.json'), 0o666);
      chownSync(at('a.json'), 12_345, 12_345);
      const before = inventory();
      expect(run('patch -w a.json', { asNobody: true })).toEqual({
        status: 2,
        stdout: '',
        stderr:
          'ctx-trim: a.json: cannot write it: it belongs to another user, who would lose it; write to a new file, ' +
          'and copy that over it\n',
      });
      expect(inventory()).toEqual(before);
      expect(run('patch -w a.json').status).toBe(0);
      expect(statSync(at('a.json'))).toMatchObject({ uid: 12_345, gid: 12_345, mode: 0o100666 });
    },
  );

  it('a file that may only be read', () => {
    chmodSync(folder, 0o777);
    if (isRoot) chownSync(at('a.json'), 65_534, 65_534);
    chmodSync(at('a.json'), 0o444);
    const before = inventory();
    for (const line of ['patch -w a.json', 'strip -w a.json'])
      for (const asNobody of [true, false])
        expect(run(line, { asNobody })).toMatchObject({
          status: 2,
          stderr: 'ctx-trim: a.json: cannot write it: it is read-only; make it writable first\n',
        });
    expect(inventory()).toEqual(before);
  });

  it.skipIf(!isRoot)("another user's link in a folder that is open to all (only root can make one)", () => {
    chmodSync(folder, 0o1777);
    symlinkSync('victim', at('out.json'));
    spawnSync('chown', ['-h', '65534', at('out.json')]);
    expect(run('patch -o out.json a.json').stderr).toBe(
      'ctx-trim: out.json: cannot write it: it is a symbolic link that another user put into a folder that is open ' +
        'to all\n',
    );
    expect(readFileSync(at('victim'), 'utf8')).toBe('precious');
  });
});

onPosix('a file in which nothing changes is not touched', () => {
  it('whatever would keep it from being written', () => {
    const long = `{"messages":[{"role":"user","content":"${'x'.repeat(6_000_000)}"}]}\n`;
    writeFileSync(at('a.json'), WHOLE);
    writeFileSync(at('long.jsonl'), long);
    linkSync(at('a.json'), at('b.json'));
    writeFileSync(at('a.json.bak'), 'older');
    chmodSync(folder, 0o555);
    const before = inventory();
    expect(run('patch -w --backup .bak a.json b.json long.jsonl', { asNobody: true })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect(inventory()).toEqual(before);
    chmodSync(folder, 0o755);
  });
});

onPosix('what can be written is', () => {
  const mended = (text: string) => JSON.parse(text).length === 2;

  it('through a link, which stays; the backup is the old file itself, beside it', () => {
    mkdirSync(at('deep'));
    writeFileSync(at('deep/s.json'), OPEN_CALL);
    chmodSync(at('deep/s.json'), 0o640);
    const { ino } = statSync(at('deep/s.json'));
    symlinkSync('deep/s.json', at('link.json'));
    expect(run('patch -w --backup .bak link.json').status).toBe(0);
    expect(readlinkSync(at('link.json'))).toBe('deep/s.json');
    expect(mended(readFileSync(at('deep/s.json'), 'utf8'))).toBe(true);
    expect(statSync(at('deep/s.json')).mode & 0o777).toBe(0o640);
    expect(readdirSync(at('deep'))).toEqual(['s.json', 's.json.bak']);
    expect(statSync(at('deep/s.json.bak')).ino).toBe(ino);
  });

  it('under two names of one file, once', () => {
    symlinkSync('a.json', at('b.json'));
    expect(run('patch -w --backup .bak a.json ./a.json b.json')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(mended(readFileSync(at('a.json'), 'utf8'))).toBe(true);
    expect(readFileSync(at('a.json.bak'), 'utf8')).toBe(OPEN_CALL);
  });

  it('after a run that was killed between its backup and the new file', () => {
    linkSync(at('a.json'), at('a.json.bak'));
    expect(run('patch -w --backup .bak a.json')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(mended(readFileSync(at('a.json'), 'utf8'))).toBe(true);
    expect(readFileSync(at('a.json.bak'), 'utf8')).toBe(OPEN_CALL);
  });

  it('with the mode that a new file gets, and a name as long as names may be', () => {
    const name = `${'é'.repeat(124)}.json`;
    expect(run(`patch a.json -o ${name}`, { before: 'umask 027; ' })).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(statSync(at(name)).mode & 0o777).toBe(0o640);
  });

  it.each([
    ['patch -o - a.json', /^\[\{"role":"assistant".*\}\]$/s],
    ['convert --to anthropic-messages -o - a.json', /"tool_use"/],
    ['check --fix=synthetic -o - a.json', /^\[\{"role":"assistant".*\}\]$/s],
    ['check --reporter junit=- a.json', /^<\?xml/],
    ['check --write-baseline - --reporter junit=x a.json', /^\{\n {2}"version": 1/],
  ])('to stdout: %s', (line, what) => {
    expect(run(line).stdout).toMatch(what);
    expect(readFileSync(at('a.json'), 'utf8')).toBe(OPEN_CALL);
    expect(readdirSync(folder)).not.toContain('-');
  });

  it('behind what a shell has written to its stdout', () => {
    writeFileSync(at('log'), 'before\n');
    run('patch -o /dev/stdout a.json >> log');
    expect(readFileSync(at('log'), 'utf8')).toMatch(/^before\n\[\{"role":"assistant"/);
  });

  it('though nobody takes what is said on stderr', () => {
    for (const stderr of ['2>/dev/full', '2>&-']) {
      const { status, stdout } = run(`patch --verbose --summary a.json ${stderr}`);
      expect([stderr, status, mended(stdout)]).toEqual([stderr, 0, true]);
    }
  });
});

describe.skipIf(!canBeFull)('a full device is named in one line', () => {
  it.each([
    'patch a.json a.json',
    'patch a.json b.json',
    'patch --diff a.json',
    'patch --check a.json',
    'stats --format json a.json',
    'check --reporter json a.json',
    'convert --to anthropic-messages a.json',
    '--help',
  ])('%s', (line) => {
    writeFileSync(at('b.json'), WHOLE);
    expect(run(`${line} > /dev/full`)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'ctx-trim: stdout: cannot write it: the device is full\n',
    });
  });

  it.each(['patch -o /dev/full a.json', 'check --reporter sarif=/dev/full a.json'])('%s', (line) => {
    expect(run(line)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'ctx-trim: /dev/full: cannot write it: the device is full\n',
    });
  });

  it('and a reader that has had enough is no failure', () => {
    const words = `{ "${process.execPath}" "${BIN}" patch a.json; echo $? > code; } | true`;
    const { stderr } = spawnSync('sh', ['-c', words], { cwd: folder, encoding: 'utf8' });
    expect([stderr, readFileSync(at('code'), 'utf8')]).toEqual(['', '0\n']);
  });
});
