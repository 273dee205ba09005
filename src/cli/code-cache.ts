/**
 * Keeps the code that V8 compiles, so that the next run of the same command starts with it: one file a command in the
 * user's cache folder, with all functions that were called. Node's own cache (22.1 and later) has only those that run
 * while a file loads, and Node 20 has none. Whatever is wrong with it, it is ignored.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';
import type { KeepsCode } from '../node/engine.js';
import { once } from '../once.js';
import { cacheFolder, isOwn, isPrivate } from './files/cache-folder.js';

/** The version with a hash of the sources. */
declare const __BUILD__: string;

/** What was compiled of a file, and the state that it had. */
interface Kept {
  readonly state: string;
  readonly data: Buffer;
}
type Files = ReadonlyMap<string, Kept>;

interface Cache {
  readonly files: Files;
  /** How many runs began with it. */
  readonly runs: number;
}

interface Compiled extends Pick<Kept, 'state'> {
  readonly script: Script;
}

/**
 * The lengths of the whole and of the list of what follows, a checksum of that, and the number of runs; the first one
 * stands at the end, too.
 */
const [HEAD, RUNS, END] = [16, 12, 4];
const WORD = 4;
/** What was not used for so long is made anew. */
const MOST_DAYS = 30;

/** Whether this process does so already: a program that starts again in it needs no second listener. */
let isKeeping = false;

/** From now on, the files of a program are compiled with what an earlier run kept. False if nothing can be kept. */
export function keepCode(extensions: NodeJS.RequireExtensions, program: string): boolean {
  const { env, versions } = process;
  const caches = cacheFolder(env);
  // what measures coverage needs all code compiled anew; modules of Bun have no `require` here
  if (caches === undefined || env['NODE_DISABLE_COMPILE_CACHE'] || env['NODE_V8_COVERAGE'] || versions['bun'])
    return false;
  if (isKeeping) return true;
  isKeeping = true;
  const folder = join(caches, 'code');
  const path = join(folder, fileName(process));
  const { files: known, runs } = attempt(() => (isSafe(folder) ? read(path) : undefined)) ?? NOTHING;
  const scripts = new Map<string, Compiled>();
  const usual = extensions['.cjs'] ?? extensions['.js']!;
  const own = dirname(program) + sep;
  extensions['.cjs'] = (module, file) => {
    const source = file.startsWith(own) ? readFileSync(file, 'utf8') : undefined;
    if (source === undefined || source.includes('import(')) return usual(module, file); // a Script cannot import
    const name = file.slice(own.length);
    const compiled = compile(source, file, known.get(name));
    scripts.set(name, compiled);
    run(compiled.script, module, file);
  };
  const isNew = () => [...scripts.values()].some(({ script }) => script.cachedDataRejected !== false);
  const made = () => keptOf(scripts, known);
  const keep = once(() => {
    if (isNew()) attempt(() => write(folder, path, { files: made(), runs: 1 }));
    else attempt(() => learn(folder, path, { files: known, runs: runs + 1 }, made));
  });
  (globalThis as KeepsCode).ctxTrimKeepCode = keep;
  process.once('exit', (status) => {
    if (status < 2) keep();
  });
  return true;
}

function fileName({ argv, version, arch }: NodeJS.Process): string {
  const command = /^[a-z]+$/.exec(argv[2] ?? '')?.[0] ?? 'other';
  return `${command}-${__BUILD__}-${version}-${arch}`;
}

const [BEFORE, AFTER] = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];

function compile(source: string, filename: string, kept: Kept | undefined): Compiled {
  const { size, mtimeMs } = statSync(filename);
  const state = `${size} ${mtimeMs}`;
  const cached = kept?.state === state ? { cachedData: kept.data } : {};
  const place = { filename, columnOffset: -BEFORE.length };
  return { state, script: new Script(BEFORE + source + AFTER, { ...place, ...cached }) };
}

/** As Node runs a file. */
function run(script: Script, module: NodeJS.Module, file: string): void {
  const require = (id: string) => module.require(id);
  script.runInThisContext().call(module.exports, module.exports, require, module, file, dirname(file));
}

/** With all functions that were called, and those kept before; in a long run V8 drops some of both. */
function keptOf(scripts: ReadonlyMap<string, Compiled>, known: Files): Files {
  const made = [...scripts].map(([name, { state, script }]): [string, Kept] => {
    const now = { state, data: script.createCachedData() };
    const before = script.cachedDataRejected === false ? known.get(name) : undefined;
    return [name, before !== undefined && before.data.length > now.data.length ? before : now];
  });
  return new Map([...known, ...made]);
}

/**
 * The run that wrote the file may have called few functions: one that failed, or read another format. Runs 2, 4, 8, …
 * look whether they called more. Each of these takes 8 ms more (Node 20, 2026-11-30).
 */
function learn(folder: string, path: string, { files, runs }: Cache, made: () => Files): void {
  const more = Number.isInteger(Math.log2(runs)) ? made() : files;
  if (sizeOf(more) > MORE * sizeOf(files)) write(folder, path, { files: more, runs });
  else count(path, runs);
}

/** Less differs between two runs of the same. */
const MORE = 1.02;

function sizeOf(files: Files): number {
  return [...files.values()].reduce((sum, { data }) => sum + data.length, 0);
}

// --- the file

const NOTHING: Cache = { files: new Map(), runs: 0 };

function read(path: string): Cache | undefined {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || !isPrivate(stats)) return undefined;
    const bytes = readFileSync(fd);
    const isWhole = [0, bytes.length - END].every((at) => bytes.readUInt32LE(at) === bytes.length);
    if (!isWhole || checksumOf(bytes) !== bytes.readInt32LE(2 * WORD)) return undefined;
    return { files: filesIn(bytes), runs: bytes.readUInt32LE(RUNS) };
  } finally {
    closeSync(fd);
  }
}

/** V8 takes damaged code as it is. Of all words behind the head; any one that differs changes it. */
function checksumOf(bytes: Buffer): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD);
  let sum = 0;
  for (let at = HEAD / WORD; at < words.length; at++) sum = (Math.imul(sum, 31) + words[at]!) | 0;
  return sum;
}

function filesIn(bytes: Buffer): Files {
  let end = HEAD + bytes.readUInt32LE(WORD);
  const list = JSON.parse(bytes.utf8Slice(HEAD, end)) as readonly (readonly [string, string, number])[];
  return new Map(
    list.map(([name, state, length]) => {
      end += length;
      return [name, { state, data: bytes.subarray(end - length, end) }];
    }),
  );
}

/** Another run reads the old file or the new one. */
function write(folder: string, path: string, cache: Cache): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isSafe(folder)) return;
  removeOld(folder);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(fd, bytesOf(cache));
      fsyncSync(fd); // a machine that stops must not leave half of it under its name
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function count(path: string, runs: number): void {
  const fd = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const word = Buffer.alloc(WORD);
    word.writeUInt32LE(runs);
    writeSync(fd, word, 0, WORD, RUNS);
  } finally {
    closeSync(fd);
  }
}

function bytesOf({ files, runs }: Cache): Buffer {
  const list = JSON.stringify([...files].map(([name, { state, data }]) => [name, state, data.length]));
  const data = [...files.values()].map((file) => file.data);
  const whole = [Buffer.alloc(HEAD), Buffer.from(list), ...data];
  const length = whole.reduce((sum, part) => sum + part.length, 0);
  const bytes = Buffer.concat([...whole, Buffer.alloc(WORD - (length % WORD) + END)]);
  for (const at of [0, bytes.length - END]) bytes.writeUInt32LE(bytes.length, at);
  bytes.writeUInt32LE(Buffer.byteLength(list), WORD);
  bytes.writeInt32LE(checksumOf(bytes), 2 * WORD);
  bytes.writeUInt32LE(runs, RUNS);
  return bytes;
}

function isSafe(folder: string): boolean {
  return isOwn(folder) && isPrivate(statSync(folder));
}

/** What other versions left behind. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > MOST_DAYS * 86_400_000) rmSync(path);
  }
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
