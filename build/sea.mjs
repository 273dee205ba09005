// `npm run sea`: makes sea.tmp/ctx-trim, one file that needs no Node: https://nodejs.org/api/single-executable-applications.html
// It is this Node, with the program as assets. Downloads `postject`, which puts them in.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'sea.tmp';
const PROGRAM = join(FOLDER, 'ctx-trim');
/** What the program needs: not the library, nor the maps of sources. */
const PARTS = ['bin', 'dist/cli', 'dist/tables', 'dist/schema', 'dist/LICENSES.txt', 'LICENSE', 'package.json'];
/** Part of Node's documented interface: postject looks for it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
const { index, bytes } = packed();
const asset = (name, content) => {
  const path = join(FOLDER, name);
  writeFileSync(path, content);
  return path;
};
const assets = {
  index: asset('index.json', JSON.stringify(index)),
  files: asset('files.bin', bytes),
  hash: asset('hash.txt', createHash('sha256').update(bytes).digest('hex').slice(0, 16)),
};
const blob = join(FOLDER, 'sea.blob');
const config = {
  main: 'build/sea-main.cjs',
  output: blob,
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets,
};
execFileSync(process.execPath, ['--experimental-sea-config', asset('sea.json', JSON.stringify(config))], {
  stdio: 'inherit',
});
copyFileSync(process.execPath, PROGRAM);
execFileSync('npx', ['--yes', 'postject@1.0.0-alpha.6', PROGRAM, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
console.log(`${PROGRAM}: ${(readFileSync(PROGRAM).length / 1e6).toFixed(0)} MB`);

function packed() {
  const names = PARTS.flatMap((part) =>
    part.includes('.') || part === 'LICENSE' ? [part] : filesIn(part).filter((name) => !name.endsWith('.map')),
  );
  const contents = names.map((name) => readFileSync(name));
  let end = 0;
  const places = names.map((name, at) => {
    const start = end;
    end += contents[at].length;
    return [name, start, end];
  });
  return { index: places, bytes: Buffer.concat(contents) };
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
