/** `--write` against what may befall it: the recording is whole at every moment. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { cases } from '../../shared/effort.js';
import { runProgram } from '../../shared/program.js';

const BIN = resolve('bin/ctx-trim.js');
const KILLS = cases(6, 48, 'KILLS');

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-'));
  folders.push(folder);
});
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

it('is the old file or the new one, whole, whenever the process is killed', async () => {
  const transcript = {
    messages: [
      { role: 'user', content: 'x'.repeat(20_000) },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    ],
  };
  const old = `${JSON.stringify(transcript)}\n`.repeat(240); // more than the 4 MB that are kept in memory
  const file = join(folder, 'big.jsonl');
  const steps = ['patch', '--write', '--backup', '.bak', file];

  writeFileSync(file, old);
  const began = performance.now();
  expect(spawnSync(process.execPath, [BIN, ...steps]).status).toBe(0);
  const usual = performance.now() - began;
  const fresh = readFileSync(file, 'utf8');
  expect(fresh.length).toBeGreaterThan(old.length);

  const seen = { old: 0, new: 0 };
  let stretch = 1.3; // a machine that is busy by now takes longer than the first run did
  for (let kill = 0; kill < KILLS || (seen.new === 0 && kill < 2 * KILLS); kill++) {
    if (kill >= KILLS) stretch *= 1.2;
    writeFileSync(file, old);
    chmodSync(file, 0o640);
    rmSync(`${file}.bak`, { force: true });
    const child = spawn(process.execPath, [BIN, ...steps], { stdio: 'ignore' });
    const ended = new Promise((done) => child.once('exit', done));
    // Evenly over the run and a little longer, so that every part of it is hit, and some runs come to their end.
    await new Promise((done) => setTimeout(done, (usual * stretch * (Math.min(kill, KILLS) + Math.random())) / KILLS));
    child.kill('SIGKILL');
    await ended;
    const text = readFileSync(file, 'utf8');
    const outcome = text === old ? 'old' : text === fresh ? 'new' : 'broken';
    expect(outcome).not.toBe('broken');
    seen[outcome as 'old' | 'new']++;
    expect(statSync(file).mode & 0o777).toBe(0o640);
    if (outcome === 'new') expect(readFileSync(`${file}.bak`, 'utf8') === old).toBe(true);
  }
  expect(seen.old).toBeGreaterThan(0);
  expect(seen.new).toBeGreaterThan(0);

  // What killed runs left behind is in nobody's way, and goes with the next run.
  writeFileSync(file, old);
  rmSync(`${file}.bak`, { force: true });
  expect(runProgram(steps).status).toBe(0);
  expect(readFileSync(file, 'utf8') === fresh).toBe(true);
  expect(readdirSync(folder)).toEqual(['big.jsonl', 'big.jsonl.bak']);
});

const INTERRUPTED =
  '[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f",' +
  '"arguments":"{}"}}]}]';

it.each([
  ['appended to', (file: string) => `fs.appendFileSync(${JSON.stringify(file)}, '\\n')`, `${INTERRUPTED}\n`],
  [
    'rewritten at the same length',
    (file: string) =>
      `fs.writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(INTERRUPTED.replace('"a"', '"b"'))}); ` +
      `fs.utimesSync(${JSON.stringify(file)}, 1, 1)`,
    INTERRUPTED.replace('"a"', '"b"'),
  ],
  [
    'replaced',
    (file: string) =>
      `fs.writeFileSync(${JSON.stringify(`${file}.x`)}, 'other'); ` +
      `fs.renameSync(${JSON.stringify(`${file}.x`)}, ${JSON.stringify(file)})`,
    'other',
  ],
  ['taken away', (file: string) => `fs.rmSync(${JSON.stringify(file)})`, undefined],
])('refuses to write over a file that was %s while it was being read', (_, deed, left) => {
  const file = join(folder, 'session.json');
  writeFileSync(file, INTERRUPTED);
  // The placeholder's text is asked for while the file is being read: that is when it happens.
  const generator = join(folder, 'meddle.mjs');
  writeFileSync(generator, `import fs from 'node:fs';\nexport default () => { ${deed(file)}; return 'text'; };\n`);
  const { status, stderr } = runProgram(['patch', '--write', '--backup', '.bak', '--generator', generator, file]);
  expect(stderr).toBe(
    `ctx-trim: ${file}: it changed while it was being read; nothing was written, run the command again\n`,
  );
  expect(status).toBe(2);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(left);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp') || name.endsWith('.bak'))).toEqual([]);
});

it('leaves nothing behind where it fails', () => {
  const file = join(folder, 'session.json');
  writeFileSync(file, INTERRUPTED);
  const generator = join(folder, 'throw.mjs');
  writeFileSync(generator, 'export default () => 5;\n');
  const { status, stderr } = runProgram(['patch', '--write', '--generator', generator, file]);
  expect([status, stderr.split('\n').length]).toEqual([2, 2]);
  expect(readdirSync(folder).sort()).toEqual(['session.json', 'throw.mjs']);
  expect(readFileSync(file, 'utf8')).toBe(INTERRUPTED);
});

const asNobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** Runs with a file system in which something happens at a call of this name. */
function runWith(at: string, deed: string, ...words: string[]) {
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `const fs = require('node:fs'); const { ${at}: real } = fs; const { readdirSync, lstatSync } = fs; let done = false;
const temporary = () => readdirSync(${JSON.stringify(folder)}).filter((name) => name.endsWith('.tmp'));
const modeOf = (name) => lstatSync(${JSON.stringify(`${folder}/`)} + name).mode & 0o777;
const look = () => temporary().map((name) => modeOf(name).toString(8));
fs.${at} = (...given) => {
  if (!done && temporary().length > 0) { done = true; fs.writeFileSync(2, look().join()); ${deed} }
  return real(...given);
};`,
  );
  const result = spawnSync(process.execPath, ['-r', hook, BIN, ...words], { encoding: 'utf8' });
  rmSync(hook);
  return result;
}

it.skipIf(process.platform === 'win32').each([
  ['SIGINT', 'writeSync', '600', 'old'], // nobody else reads it while it grows
  ['SIGINT', 'fsync', '644', 'old'],
  ['SIGTERM', 'fsync', '644', 'old'],
  ['SIGHUP', 'fsync', '644', 'old'],
  ['SIGINT', 'linkSync', '644', 'new'],
  ['SIGTERM', 'renameSync', '644', 'new'],
] as const)('leaves nothing behind after %s at %s', (signal, at, mode, left) => {
  const file = join(folder, 'session.json');
  writeFileSync(file, INTERRUPTED);
  chmodSync(file, 0o644);
  // some disks have synced before Node hears of the signal
  const slow: Readonly<Record<string, string>> = {
    writeSync: 'const { fsync } = fs; fs.fsync = (...given) => setTimeout(fsync, 100, ...given);',
    fsync: 'setTimeout(real, 100, ...given); return;',
  };
  const deed = `process.kill(process.pid, '${signal}'); ${slow[at] ?? ''}`;
  const result = runWith(at, deed, 'patch', '-w', '--backup', '.bak', file);
  expect(result.stderr).toBe(mode);
  expect(result.signal).toBe(signal); // a shell makes 128 plus its number of it
  const isOld = readFileSync(file, 'utf8') === INTERRUPTED;
  const names = readdirSync(folder).sort();
  if (left === 'old') expect([isOld, names]).toEqual([true, ['session.json']]);
  else expect([isOld, names]).toEqual([false, ['session.json', 'session.json.bak']]);
});

it.skipIf(process.platform === 'win32')('has no file with a name while it reads, however much there is', () => {
  const file = join(folder, 'big.jsonl');
  const text = `${JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(100_000) }] })}\n`.repeat(90);
  writeFileSync(file, `${text}${JSON.stringify({ messages: JSON.parse(INTERRUPTED) })}\n`);
  const generator = join(folder, 'look.mjs');
  writeFileSync(
    generator,
    `import fs from 'node:fs';
const pathOf = (fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return []; } };
const hasProc = fs.existsSync('/proc/self/fd');
const open = hasProc ? fs.readdirSync('/proc/self/fd').flatMap(pathOf) : ['.ctx-trim- (deleted)'];
export default () => {
  const isOpen = open.some((path) => /ctx-trim-.*\\(deleted\\)$/.test(path));
  fs.writeSync(2, fs.readdirSync(${JSON.stringify(folder)}).join() + ' ' + isOpen);
  process.kill(process.pid, 'SIGINT');
  return 'text';
};\n`,
  );
  const { stderr, signal } = spawnSync(process.execPath, [BIN, 'patch', '-w', '--generator', generator, file], {
    encoding: 'utf8',
  });
  expect([stderr, signal]).toEqual(['big.jsonl,look.mjs false', 'SIGINT']);
  expect(readdirSync(folder)).toEqual(['big.jsonl', 'look.mjs']);
});

it.skipIf(process.platform === 'win32')('takes away what killed runs left, and nothing else', () => {
  const file = join(folder, 'session.json');
  writeFileSync(file, INTERRUPTED);
  expect(runWith('fsync', "process.kill(process.pid, 'SIGKILL');", 'patch', '-w', file).signal).toBe('SIGKILL');
  const [stale = ''] = readdirSync(folder).filter((name) => name.endsWith('.tmp'));
  const [, pid = '', machine = ''] =
    /^\.session\.json\.ctx-trim-(\d+)-([0-9a-f]{8})-[0-9a-f]{16}\.tmp$/.exec(stale) ?? [];
  expect(pid).not.toBe('');
  const named = (owner: string, on: string, random: string, of = 'session.json') =>
    join(folder, `.${of}.ctx-trim-${owner}-${on}-${random.repeat(16)}.tmp`);
  const kept = {
    running: named(String(process.pid), machine, 'a'),
    elsewhere: named(pid, '00000000', 'b'),
    other: named(pid, machine, 'c', 'other.json'),
    unlike: `${named(pid, machine, 'd')}.txt`,
  };
  for (const path of Object.values(kept)) writeFileSync(path, 'kept');
  symlinkSync('session.json', named(pid, machine, 'e'));
  mkdirSync(named(pid, machine, 'f'));
  const others = isRoot ? named(pid, machine, '1') : undefined;
  if (others !== undefined) writeFileSync(others, 'kept');
  if (others !== undefined) chownSync(others, 65_534, 65_534);
  const old = named(pid, '11111111', '2');
  writeFileSync(old, 'gone');
  utimesSync(old, 1, 1);
  const before = readdirSync(folder);
  expect(spawnSync(process.execPath, [BIN, 'patch', '-w', file]).status).toBe(0);
  const gone = before.filter((name) => !readdirSync(folder).includes(name)).sort();
  expect(gone).toEqual([stale, old.slice(folder.length + 1)].sort());
});

it.skipIf(process.platform === 'win32')('follows no link that somebody planted for its temporary file', () => {
  const [file, victim] = [join(folder, 'session.json'), join(folder, 'victim')];
  writeFileSync(file, INTERRUPTED);
  writeFileSync(victim, 'precious');
  const hook = join(folder, 'guess.cjs');
  writeFileSync(
    hook,
    `const crypto = require('node:crypto'); const fs = require('node:fs'); const { openSync } = fs;
crypto.randomBytes = (length) => Buffer.alloc(length);
fs.openSync = (path, ...rest) => {
  if (/tmp$/.test(path)) fs.symlinkSync(${JSON.stringify(victim)}, path);
  return openSync(path, ...rest);
};`,
  );
  const { status, stderr } = spawnSync(process.execPath, ['-r', hook, BIN, 'patch', '-w', file], { encoding: 'utf8' });
  expect([status, stderr.split('\n').length]).toEqual([2, 2]);
  expect(stderr).toContain('session.json: cannot write it: EEXIST');
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  expect(readFileSync(file, 'utf8')).toBe(INTERRUPTED);
});

it.skipIf(process.platform === 'win32')('says that a file may not be read, or its folder not be written to', () => {
  chmodSync(folder, 0o755);
  const [secret, plain] = [join(folder, 'secret.json'), join(folder, 'plain.json')];
  writeFileSync(secret, INTERRUPTED);
  chmodSync(secret, 0);
  writeFileSync(plain, INTERRUPTED);
  chmodSync(plain, 0o644);
  chmodSync(folder, 0o555);
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [BIN, 'patch', ...words], { encoding: 'utf8', ...asNobody });
  expect(run(secret)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: `ctx-trim: ${secret}: cannot read it: permission to read it is denied\n`,
  });
  expect(run('--write', plain)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: `ctx-trim: ${plain}: cannot write it: permission to write there is denied\n`,
  });
  expect(readFileSync(plain, 'utf8')).toBe(INTERRUPTED);
  chmodSync(folder, 0o755);
});

it.skipIf(process.platform === 'win32')('writes into a pipe or a device, and puts nothing in its place', () => {
  const input = join(folder, 'in.json');
  const pipe = join(folder, 'pipe');
  writeFileSync(input, '[{"role":"user","content":"a"}]\n');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const reader = spawnSync('sh', ['-c', `"${process.execPath}" "${BIN}" patch -o pipe in.json & cat pipe; wait`], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(reader.stdout).toBe('[{"role":"user","content":"a"}]\n');
  expect(statSync(pipe).isFIFO()).toBe(true);
  const isDevice = statSync('/dev/null').isCharacterDevice();
  expect(runProgram(['patch', '-o', '/dev/null', input]).status).toBe(0);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(isDevice);
});

it('is the old file, and the exit code 2, when a generator ends the process', () => {
  const file = join(folder, 'session.json');
  const old = JSON.stringify([
    { role: 'user', content: 'x' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ]);
  writeFileSync(file, old);
  writeFileSync(join(folder, 'ends.mjs'), 'export default () => process.exit(0);\n');
  const { status, stderr } = spawnSync(BIN, ['patch', '--write', '--generator=ends.mjs', file], { cwd: folder });
  expect([status, String(stderr)]).toEqual([2, expect.stringContaining('ended the program before it was done')]);
  expect(readFileSync(file, 'utf8')).toBe(old);
  expect(readdirSync(folder).sort()).toEqual(['ends.mjs', 'session.json']);
});
