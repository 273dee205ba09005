/** What is kept of files in the cache folder: never used for a file that changed, never in the way if it is damaged. */
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openInput } from '../../../src/cli/files/input.js';
import { openKnownFiles } from '../../../src/cli/files/known-files.js';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';

let root: string;
let terminal: Terminal;
const cachePath = () => join(root, 'cache', 'ctx-trim', 'test.jsonl');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ctx-trim-known-'));
  const stream = { isTerminal: false, columns: 80, write: () => {}, data: () => {} };
  const env = { XDG_CACHE_HOME: join(root, 'cache') };
  terminal = { env, cwd: root, stdin: () => 0, stdinIsTerminal: false, stdout: stream, stderr: stream };
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

/** From here on, files that were just written are old enough to be kept. */
function moveClock(): void {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
}

/** Reads files as a command would: from the cache, else from the disk. Says which came from the cache. */
async function run(names: readonly string[], build = 'a', world: Pick<Terminal, 'env'> = terminal) {
  const known = openKnownFiles('test', build, world);
  const contents: string[] = [];
  const hits: string[] = [];
  for (const name of names) {
    const path = join(root, name);
    const kept = known?.get(path);
    if (kept !== undefined) hits.push(name);
    const input = await openInput({ name }, terminal);
    const bytes = Buffer.alloc(1 << 16);
    const content = kept ?? JSON.stringify(bytes.utf8Slice(0, input.read(bytes, 0, bytes.length)));
    if (kept === undefined) known?.put(path, content);
    input.close();
    contents.push(JSON.parse(content));
  }
  known?.close();
  return { contents, hits };
}

describe('a cache of files', () => {
  it('is used for files that did not change', async () => {
    writeFileSync(join(root, 'a'), 'one');
    writeFileSync(join(root, 'ü'), 'two');
    moveClock();
    expect(await run(['a', 'ü'])).toEqual({ contents: ['one', 'two'], hits: [] });
    expect(await run(['a', 'ü'])).toEqual({ contents: ['one', 'two'], hits: ['a', 'ü'] });
    expect(await run(['ü'])).toEqual({ contents: ['two'], hits: ['ü'] });
  });

  it('keeps nothing of a file that was just written', async () => {
    writeFileSync(join(root, 'a'), 'one');
    await run(['a']);
    expect(readdirSync(root)).toEqual(['a']);
  });

  it('keeps nothing of a file that changes while it is read', async () => {
    writeFileSync(join(root, 'a'), 'one');
    moveClock();
    const known = openKnownFiles('test', 'a', terminal)!;
    known.get(join(root, 'a'));
    appendFileSync(join(root, 'a'), 'more');
    known.put(join(root, 'a'), '"one"');
    known.close();
    expect(readdirSync(root)).toEqual(['a']);
  });

  it('belongs to the user alone', async () => {
    writeFileSync(join(root, 'a'), 'one');
    moveClock();
    await run(['a']);
    expect(statSync(cachePath()).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'cache', 'ctx-trim')).mode & 0o777).toBe(0o700);
  });

  it('is not read through a link, and replaces it', async () => {
    writeFileSync(join(root, 'a'), 'one');
    moveClock();
    await run(['a']);
    renameSync(cachePath(), join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), cachePath());
    expect((await run(['a'])).hits).toEqual([]);
    expect(lstatSync(cachePath()).isFile()).toBe(true);
    expect((await run(['a'])).hits).toEqual(['a']);
  });

  it('of another program is ignored and replaced', async () => {
    writeFileSync(join(root, 'a'), 'one');
    moveClock();
    await run(['a'], 'a');
    expect((await run(['a'], 'b')).hits).toEqual([]);
    expect((await run(['a'], 'b')).hits).toEqual(['a']);
  });

  it('with any damage is ignored and replaced', async () => {
    writeFileSync(join(root, 'a'), 'one');
    moveClock();
    await run(['a']);
    const good = readFileSync(cachePath());
    const damaged = [Buffer.alloc(0), good.subarray(0, 40), good.subarray(0, -4), Buffer.concat([good, good])];
    for (let at = 0; at < good.length; at++) {
      const bytes = Buffer.from(good);
      bytes[at]! ^= 1;
      damaged.push(bytes);
    }
    for (const bytes of damaged) {
      writeFileSync(cachePath(), bytes);
      expect(await run(['a'])).toEqual({ contents: ['one'], hits: [] });
      expect(readFileSync(cachePath())).toEqual(good);
    }
  });

  it('that cannot be written changes nothing', async () => {
    writeFileSync(join(root, 'a'), 'one');
    writeFileSync(join(root, 'cache'), 'a file where the folder would be');
    moveClock();
    expect(await run(['a'])).toEqual({ contents: ['one'], hits: [] });
  });

  it('is turned off by CTX_TRIM_CACHE=off, and where the environment names no folder', async () => {
    expect(openKnownFiles('test', 'a', { env: { ...terminal.env, CTX_TRIM_CACHE: 'off' } })).toBeUndefined();
    expect(openKnownFiles('test', 'a', { env: {} })).toBeUndefined();
    expect(openKnownFiles('test', 'a', { env: { XDG_CACHE_HOME: 'relative' } })).toBeUndefined();
  });

  it('serves two runs at once', async () => {
    const names = ['a', 'b', 'c'];
    for (const name of names) writeFileSync(join(root, name), name);
    moveClock();
    await Promise.all([run(['a', 'b']), run(['b', 'c']), run(['a'])]);
    expect((await run(names)).contents).toEqual(names);
    expect((await run(names)).hits).toEqual(names);
    expect(readdirSync(join(root, 'cache', 'ctx-trim'))).toEqual(['test.jsonl']);
  });
});

it('gives what the files hold, whatever happens to them in between', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const names = ['a', 'b', 'c'];
  const pathOf = () => join(root, names[random(names.length)]!);
  const letter = () => String.fromCharCode(97 + random(26));
  const edits: ((path: string) => void)[] = [
    (path) => appendFileSync(path, letter()),
    (path) => writeFileSync(path, letter().repeat(statSync(path).size)),
    (path) => truncateSync(path, random(statSync(path).size + 1)),
    (path) => {
      writeFileSync(`${path}.new`, letter().repeat(statSync(path).size));
      renameSync(`${path}.new`, path);
    },
    (path) => {
      const { atime, mtime, size } = statSync(path);
      writeFileSync(path, letter().repeat(size));
      utimesSync(path, atime, mtime); // the same size and time
    },
    (path) => utimesSync(path, new Date(), new Date()),
    (path) => chmodSync(path, 0o600),
    (path) => {
      const other = pathOf();
      renameSync(path, `${path}.old`);
      if (other !== path) renameSync(other, path);
      renameSync(`${path}.old`, other);
    },
    () => {},
  ];
  for (const name of names) writeFileSync(join(root, name), name);
  mkdirSync(join(root, 'cache'));
  moveClock();
  let hits = 0;
  for (let round = 0; round < 150; round++) {
    await wait(12); // the clock of files is that coarse
    if (random(2) === 0) edits[random(edits.length)]!(pathOf());
    const now = names.map((name) => readFileSync(join(root, name), 'utf8'));
    const seen = await run(names);
    expect(seen.contents).toEqual(now);
    hits += seen.hits.length;
  }
  expect(hits).toBeGreaterThan(100);
});
