// The start of the single executable: unpacks the program once into the user's cache folder, and runs it from there.
const { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');

const { HOME = '', XDG_CACHE_HOME = '', CTX_TRIM_CACHE } = process.env;
const uid = process.geteuid?.() ?? 0;
const cache = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
const base =
  isAbsolute(cache) && CTX_TRIM_CACHE !== 'off' ? join(cache, 'ctx-trim') : join(tmpdir(), `ctx-trim-${uid}`);
const folder = join(base, `program-${getAsset('hash', 'utf8')}`);

if (!existsSync(folder)) unpack();
rejectForeign(base);
rejectForeign(folder);
createRequire(join(folder, 'bin/'))('./ctx-trim.js');

/** Aside, and moved in one go: whoever starts meanwhile finds all of it or nothing. */
function unpack() {
  mkdirSync(base, { recursive: true, mode: 0o700 });
  rejectForeign(base);
  const aside = `${folder}.${process.pid}`;
  const bytes = Buffer.from(getRawAsset('files'));
  for (const [name, start, end] of JSON.parse(getAsset('index', 'utf8'))) {
    mkdirSync(dirname(join(aside, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(aside, name), bytes.subarray(start, end), { mode: 0o600 });
  }
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** What runs as code must not be another user's. */
function rejectForeign(path) {
  const stats = lstatSync(path);
  if (stats.isDirectory() && stats.uid === uid && (stats.mode & 0o022) === 0) return;
  process.stderr.write(`ctx-trim: ${path} is not a folder that only you can write: remove it\n`);
  process.exit(2);
}
