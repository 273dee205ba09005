// Runs the built program again and again in this process: one run for each message, which the result answers.
// `isQuiet`: what it writes to stdout is not kept, and the time of collecting garbage is measured: all of it, where
// Node has --single-threaded-gc.
const fs = require('node:fs');
const Module = require('node:module');
const { dirname, resolve } = require('node:path');
const { PerformanceObserver } = require('node:perf_hooks');
const { constants, Script } = require('node:vm');

const [, , root] = process.argv;
const bin = resolve(root, 'bin/ctx-trim.js');
const entries = [bin, resolve(root, 'dist/cli/cli.cjs')];
const { writeSync, readSync } = fs;
let run = { said: {}, input: Buffer.alloc(0), at: 0 };

fs.writeSync = (fd, data, ...rest) => {
  if (fd !== 1 && fd !== 2) return writeSync(fd, data, ...rest);
  const [start = 0, length = data.length] = rest;
  if (run.isQuiet && fd === 1) return length;
  const bytes = Buffer.from(typeof data === 'string' ? data : data.subarray(start, start + length)); // a copy
  run.said[fd].push(bytes);
  run.said.both.push(bytes);
  return bytes.length;
};

fs.readSync = (fd, buffer, at, length, ...rest) => {
  if (fd !== 0) return readSync(fd, buffer, at, length, ...rest);
  const got = run.input.copy(buffer, at, run.at, run.at + length);
  run.at += got;
  return got;
};

// this process does not end after a run: it keeps no compiled code, neither then nor before flags of V8 change
Object.defineProperty(globalThis, 'ctxTrimKeepCode', { get: () => undefined, set() {} });

/** The entries, compiled once: a run evaluates them again. */
const scripts = new Map();
const { _compile } = Module.prototype;
Module.prototype._compile = function (text, path, ...rest) {
  if (!entries.includes(path)) return _compile.call(this, text, path, ...rest);
  const options = { filename: path, importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  if (!scripts.has(path)) scripts.set(path, new Script(Module.wrap(text.replace(/^#!/, '//')), options));
  const run = scripts.get(path).runInThisContext();
  return run.call(this.exports, this.exports, Module.createRequire(path), this, path, dirname(path));
};

let observer;
/** Milliseconds of collecting garbage since this run began. */
let collecting = 0;
function observe() {
  observer ??= new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collecting += duration;
  });
  observer.observe({ entryTypes: ['gc'] });
}

process.on('message', async ({ words, cwd, env, input, isQuiet }) => {
  if (isQuiet) observe();
  collecting = 0;
  run = { said: { 1: [], 2: [], both: [] }, input: Buffer.from(input), at: 0, isQuiet, cpu: process.cpuUsage() };
  process.chdir(cwd);
  for (const key of Object.keys(process.env)) if (!(key in env)) delete process.env[key];
  Object.assign(process.env, env);
  process.argv = [process.execPath, bin, ...words];
  process.exitCode = undefined;
  // the entry starts the program; other modules stay loaded, with the tables and prices that they have read
  for (const path of entries) delete require.cache[path];
  module.children.length = 0;
  require(bin);
  while (process.exitCode === undefined) await nextTurn();
  answer(process.exitCode);
});
process.on('uncaughtException', (error) => {
  run.said[2].push(Buffer.from(`${error.stack}\n`));
  answer(7); // as Node does
});
// 2: with exit code 0, each of thousands of runs would write its compiled code now, which takes seconds
process.on('disconnect', () => process.exit(2));

async function answer(status) {
  process.exitCode = 0;
  if (run.isQuiet) process.removeAllListeners('exit'); // with what the run held
  process.setSourceMapsEnabled(false); // CTX_TRIM_DEBUG sets it
  const { user, system } = process.cpuUsage(run.cpu);
  const text = (chunks) => Buffer.concat(chunks).toString();
  const [stdout, stderr, both] = [run.said[1], run.said[2], run.said.both].map(text);
  // observers hear of it in a later turn
  if (run.isQuiet) for (let turns = 0; turns < 3; turns++) await nextTurn();
  process.send({ stdout, stderr, both, status, cpu: user + system, garbage: Math.round(1000 * collecting) });
}

function nextTurn() {
  return new Promise((done) => setImmediate(done));
}
