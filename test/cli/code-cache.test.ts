/** Code that an earlier run compiled: used, made anew or left alone, the program prints the same. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
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
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-code-'));
const folder = join(home, 'ctx-trim', 'code');
afterAll(() => rmSync(home, { recursive: true }));
beforeEach(() => rmSync(folder, { recursive: true, force: true }));

/** Says on stderr which of the program's files V8 took from the cache, and which it refused. */
const spy = join(home, 'spy.cjs');
writeFileSync(
  spy,
  `const vm = require('node:vm');
   const told = { kept: [], refused: [], compiled: [] };
   vm.Script = class extends vm.Script {
     constructor(source, options) {
       super(source, options);
       const kind = this.cachedDataRejected === undefined ? 'compiled' : this.cachedDataRejected ? 'refused' : 'kept';
       told[kind].push(require('node:path').basename(options.filename));
     }
   };
   process.on('exit', () => require('node:fs').writeSync(2, JSON.stringify(told)));`,
);

const recording = 'fixtures/formats/openai-chat/tau-bench-retail.json';

/** So many messages that commands change V8's flags. */
const many = join(home, 'many.jsonl');
const chat = {
  messages: [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'Hello.' },
  ],
};
writeFileSync(many, `${JSON.stringify(chat)}\n`.repeat(1500));

interface Told {
  readonly kept: string[];
  readonly refused: string[];
  readonly compiled: string[];
}

function run(words: readonly string[] = ['filter', '--max-tool-calls', '1', recording], env: object = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-r', spy, 'bin/ctx-trim.js', ...words], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: home, CTX_TRIM_CACHE: '', ...env },
  });
  return { stdout, status, told: JSON.parse(stderr.slice(stderr.lastIndexOf('{'))) as Told };
}

const HEAD = 16;

/** With the checksum of its words. */
function sealed(bytes: Buffer): Buffer {
  let sum = 0;
  for (let at = HEAD; at < bytes.length; at += 4) sum = (Math.imul(sum, 31) + bytes.readInt32LE(at)) | 0;
  bytes.writeInt32LE(sum, 8);
  return bytes;
}

/** Without the head, in which runs are counted. */
const codeIn = (path: string) => readFileSync(path).subarray(HEAD);
const runsIn = (path: string) => readFileSync(path).readUInt32LE(12);

/** What a first run printed, and the file that it kept. */
let first: { readonly stdout: string; readonly path: string; readonly bytes: Buffer } | undefined;

/** As after a first run, which is made once. */
function kept(): { readonly stdout: string; readonly path: string } {
  if (first === undefined) {
    const { stdout } = run();
    const [path] = written();
    first = { stdout, path: path!, bytes: readFileSync(path!) };
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(first.path, first.bytes, { mode: 0o600 });
  return first;
}

const FILES = ['cli.cjs', 'core.cjs', 'rewrite.cjs', 'tables.cjs'];
const written = () => readdirSync(folder).map((name) => join(folder, name));

describe('compiled code', () => {
  it('is kept, for its user alone, and used', () => {
    const [first, second] = [run(), run()];
    expect(first.told.compiled.sort()).toEqual(FILES);
    expect(second.told).toEqual({ kept: expect.any(Array), refused: [], compiled: [] });
    expect(second.told.kept.sort()).toEqual(FILES);
    expect([second.stdout, second.status]).toEqual([first.stdout, 0]);
    const [path, ...others] = written();
    expect(others).toEqual([]);
    if (process.platform !== 'win32')
      expect([folder, path!].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it('is not kept by Bun, whose modules have no `require` for it', () => {
    const bun = join(home, 'bun.cjs');
    writeFileSync(bun, "Object.defineProperty(process, 'versions', { value: { ...process.versions, bun: '1.4.5' } });");
    const { stdout } = run(undefined, { NODE_OPTIONS: `-r ${bun}` });
    expect(existsSync(folder)).toBe(false);
    expect(stdout).toBe(kept().stdout);
  });

  it('is completed by what another recording needs', () => {
    kept();
    const words = ['filter', '--max-tool-calls', '1', 'fixtures/formats/claude-code/hand-branch.jsonl'];
    expect(run(words).told.compiled).toContain('formats-anthropic-claude-code.cjs');
    expect(run(words).told.compiled).toEqual([]);
    expect(run().told.compiled).toEqual([]);
  });

  // a flag of V8 that changes while the program runs makes it refuse what was kept
  it.each(['diff FILE FILE', 'convert --to anthropic FILE', 'stats FILE', 'check FILE', 'redact FILE'])(
    'of `%s` is used by the next run',
    (line) => {
      const words = line.replaceAll('FILE', 'fixtures/formats/openai-chat/hand-calls.json').split(' ');
      run(words);
      expect(run(words).told).toMatchObject({ refused: [], compiled: [] });
    },
  );

  it.each(['diff', 'stats --by day --recorded'])(
    'of a short run of `%s` stays as it is after a long one, which changes flags',
    (line) => {
      const words = line.split(' ');
      const [short, long] = [recording, many].map((file) => [...words, ...(words[0] === 'diff' ? [file] : []), file]);
      run(short);
      const [path] = written();
      const before = codeIn(path!);
      run(long);
      expect(codeIn(path!).equals(before)).toBe(true);
      expect(run(short).told).toMatchObject({ refused: [], compiled: [] });
    },
  );

  it('of a long run is what a short one starts with', () => {
    run(['convert', '--to', 'anthropic', many]);
    const { told } = run(['convert', '--to', 'anthropic', recording]);
    expect(told.refused).toEqual([]);
    expect(told.kept).toEqual(expect.arrayContaining(['cli.cjs', 'convert.cjs', 'core.cjs']));
  });

  it('of a run that called little is completed by later ones, which look for more ever more seldom', () => {
    const file = join(home, 'calls.json');
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const calls = [1, 2].flatMap(() => [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ]);
    const poor = [{ role: 'user', content: 'hi' }];
    writeFileSync(file, JSON.stringify({ messages: poor }));
    const filter = () => run(['filter', '--max-tool-calls', '1', file]);
    expect(filter().status).toBe(0);
    const [path] = written();
    const before = codeIn(path!).length;
    writeFileSync(file, JSON.stringify({ messages: [...poor, ...calls] }));
    expect(filter().told.compiled).toEqual([]);
    expect([runsIn(path!), codeIn(path!).length > 1.02 * before]).toEqual([2, true]);
    const rich = codeIn(path!);
    for (const runs of [3, 4, 5]) {
      filter();
      expect([runsIn(path!), codeIn(path!).equals(rich)]).toEqual([runs, true]);
    }
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['is cut off', (bytes) => bytes.subarray(0, bytes.length >> 1)],
    ['is empty', () => Buffer.alloc(0)],
    [
      'has only zeros at its end',
      (bytes) => Buffer.concat([bytes.subarray(0, 5000), Buffer.alloc(bytes.length - 5000)]),
    ],
    ['is not a list', (bytes) => Buffer.from(bytes).fill('x', 8, 200)],
  ])('is made anew where the file %s', (_, damage) => {
    const { stdout, path } = kept();
    writeFileSync(path, damage(readFileSync(path)));
    const after = run();
    expect(after.told.kept).toEqual([]);
    expect(after.stdout).toBe(stdout);
    expect(run().told.kept.sort()).toEqual(FILES);
  });

  it('is made anew where one bit of it changed', () => {
    const { stdout, path } = kept();
    const whole = readFileSync(path);
    for (const share of [0.001, 0.3, 0.7, 0.999]) {
      const bytes = Buffer.from(whole);
      const at = Math.floor(whole.length * share);
      bytes[at] = bytes[at]! ^ 1;
      writeFileSync(path, bytes);
      const after = run();
      expect([after.told.kept, after.stdout]).toEqual([[], stdout]);
    }
  });

  it('of other code is refused by V8', () => {
    const { path } = kept();
    const bytes = readFileSync(path);
    bytes.fill(0, HEAD + bytes.readUInt32LE(4), HEAD + bytes.readUInt32LE(4) + 16);
    writeFileSync(path, sealed(bytes));
    const after = run();
    expect(after.told.refused.length).toBe(1);
    expect(run().told.kept.sort()).toEqual(FILES);
  });

  it('of a file that changed since is not looked at', () => {
    const { path } = kept();
    const text = readFileSync(path, 'latin1');
    const state = `${statSync('dist/cli/core.cjs').size} `;
    expect(text).toContain(`"core.cjs","${state}`);
    const other = text.replace(`"core.cjs","${state}`, `"core.cjs","${state.replace(/\d/, '9')}`);
    writeFileSync(path, sealed(Buffer.from(other, 'latin1')));
    expect(run().told.compiled).toEqual(['core.cjs']);
  });

  it.each([
    { CTX_TRIM_CACHE: 'off' },
    { NODE_DISABLE_COMPILE_CACHE: '1' },
    { XDG_CACHE_HOME: '', HOME: '', LOCALAPPDATA: '' },
  ])('is not kept with %o', (env) => {
    expect(run(undefined, env)).toMatchObject({ status: 0, told: { kept: [], compiled: [] } });
    expect(() => readdirSync(folder)).toThrow();
  });

  it.skipIf(process.platform === 'win32').each(['the folder', 'the file'])(
    'is not run where others may write %s',
    (what) => {
      const { path: file } = kept();
      const path = what === 'the folder' ? folder : file;
      chmodSync(path, statSync(path).mode | 0o020);
      expect(run().told.kept).toEqual([]);
    },
  );

  it.skipIf(process.platform === 'win32' || process.geteuid?.() === 0)('is not kept where it cannot be written', () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o500);
    expect(run().status).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    chmodSync(folder, 0o700);
  });

  it('of wrong usage is not kept, and goes when nobody wrote it for a month', () => {
    expect(run(['filter', '--no-such-option']).status).toBe(2);
    expect(() => readdirSync(folder)).toThrow();
    mkdirSync(folder, { recursive: true });
    const [old, young] = ['old', 'young'].map((name) => join(folder, name));
    for (const path of [old!, young!]) writeFileSync(path, '');
    utimesSync(old!, new Date(), new Date(Date.now() - 31 * 86_400_000));
    run();
    expect(readdirSync(folder)).toContain('young');
    expect(readdirSync(folder)).not.toContain('old');
  });
});
