/** `--write` against what may befall it: the recording is whole at every moment. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';

const BIN = resolve('bin/ctx-trim.js');
const KILLS = 48;

const folders: string[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-'));
  folders.push(folder);
});
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

it('is the old file or the new one, whole, whenever the process is killed', { timeout: 110_000 }, async () => {
  const transcript = {
    messages: [
      { role: 'user', content: 'x'.repeat(2000) },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    ],
  };
  const old = `${JSON.stringify(transcript)}\n`.repeat(4000);
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

  // What killed runs left behind is in nobody's way.
  writeFileSync(file, old);
  expect(spawnSync(process.execPath, [BIN, ...steps]).status).toBe(0);
  expect(readFileSync(file, 'utf8') === fresh).toBe(true);
  expect(readdirSync(folder).filter((name) => !/^\.big\.jsonl\.ctx-trim-\d+\.tmp$/.test(name))).toEqual([
    'big.jsonl',
    'big.jsonl.bak',
  ]);
});

const INTERRUPTED =
  '[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}]';

it.each([
  ['appended to', (file: string) => `fs.appendFileSync(${JSON.stringify(file)}, '\\n')`, `${INTERRUPTED}\n`],
  [
    'rewritten at the same length',
    (file: string) =>
      `fs.writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(INTERRUPTED.replace('"a"', '"b"'))}); fs.utimesSync(${JSON.stringify(file)}, 1, 1)`,
    INTERRUPTED.replace('"a"', '"b"'),
  ],
  [
    'replaced',
    (file: string) =>
      `fs.writeFileSync(${JSON.stringify(`${file}.x`)}, 'other'); fs.renameSync(${JSON.stringify(`${file}.x`)}, ${JSON.stringify(file)})`,
    'other',
  ],
  ['taken away', (file: string) => `fs.rmSync(${JSON.stringify(file)})`, undefined],
])('refuses to write over a file that was %s while it was being read', (_, deed, left) => {
  const file = join(folder, 'session.json');
  writeFileSync(file, INTERRUPTED);
  // The placeholder's text is asked for while the file is being read: that is when it happens.
  const generator = join(folder, 'meddle.mjs');
  writeFileSync(generator, `import fs from 'node:fs';\nexport default () => { ${deed(file)}; return 'text'; };\n`);
  const { status, stderr } = spawnSync(
    process.execPath,
    [BIN, 'patch', '--write', '--backup', '.bak', '--generator', generator, file],
    { encoding: 'utf8' },
  );
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
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'patch', '--write', '--generator', generator, file], {
    encoding: 'utf8',
  });
  expect([status, stderr.split('\n').length]).toEqual([2, 2]);
  expect(readdirSync(folder).sort()).toEqual(['session.json', 'throw.mjs']);
  expect(readFileSync(file, 'utf8')).toBe(INTERRUPTED);
});

const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

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
  spawnSync(process.execPath, [BIN, 'patch', '-o', '/dev/null', input]);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(isDevice);
});
