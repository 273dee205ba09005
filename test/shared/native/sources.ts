/**
 * Before the tests: src/ as JavaScript in sources.tmp/, file by file, for Node to load by itself. Vitest's own module
 * loader wraps each import in an object, and every use of an imported name then calls a getter: code that works through
 * large recordings takes a third longer. Hooks of Node's loader take 3 CPU seconds for all of src/, in each worker.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { globSync } from 'tinyglobby';

const FOLDER = 'sources.tmp';

export default function compileSources(): void {
  const files = new Map(globSync('src/**/*.ts').map((file) => [compiledPath(file), file]));
  for (const path of globSync(`${FOLDER}/**/*.js`)) if (!files.has(path)) rmSync(path);
  for (const [path, file] of files) {
    const time = statSync(file).mtime;
    if (statSync(path, { throwIfNoEntry: false })?.mtimeMs === time.getTime()) continue;
    const aside = `${path}.${process.pid}`; // another run may load the file meanwhile
    compile(file, aside);
    utimesSync(aside, time, time); // a source that is older is another one, too
    renameSync(aside, path);
  }
}

const compiledPath = (file: string) => join(FOLDER, file.replace(/^src\//, '').replace(/\.ts$/, '.js'));

function compile(file: string, path: string): void {
  const { code, map, errors } = transformSync(file, readFileSync(file, 'utf8'), { sourcemap: true });
  if (errors[0] !== undefined) throw errors[0];
  const sources = [join(process.cwd(), file)];
  const mapped = Buffer.from(JSON.stringify({ ...map, sources })).toString('base64');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${code}\n//# sourceMappingURL=data:application/json;base64,${mapped}\n`);
}
