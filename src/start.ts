/**
 * Starts the program. Compiling is a good part of a short run: where this is the V8 that the program was built with, our bundles are
 * loaded with the code that it made of them then; a newer Node keeps such code by itself.
 * https://nodejs.org/api/vm.html#scriptcreatecacheddata https://nodejs.org/api/module.html#moduleenablecompilecachecachedir
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as modules from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Require = (name: string) => unknown;
type Run = (exports: unknown, require: Require, module: object, filename: string, dirname: string) => void;

const CLI = join(__dirname, 'cli.cjs');
const SUFFIX = `.${process.versions.v8}-${process.arch}.code`;
const loaded = new Map<string, { exports: unknown }>();
const scripts = new Map<string, Script>();

const kept = process.env['CTX_TRIM_KEEP_CODE']?.split(' ') ?? []; // the build asks for it
if (kept.length > 0) {
  process.on('exit', () =>
    scripts.forEach(
      (script, file) => void (kept.includes(basename(file)) && writeFileSync(file + SUFFIX, script.createCachedData())),
    ),
  );
  load(CLI);
} else if (existsSync(CLI + SUFFIX)) load(CLI);
else {
  (modules as { enableCompileCache?(): void }).enableCompileCache?.();
  modules.createRequire(CLI)(CLI);
}

function load(file: string): unknown {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} as unknown };
  loaded.set(file, module);
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`; // what esbuild writes is ASCII
  const filename = kept.length > 0 ? basename(file) : file; // kept code holds the name: not where it was built
  const script = new Script(source, { filename, cachedData: codeOf(file) });
  scripts.set(file, script);
  (script.runInThisContext() as Run)(module.exports, requireFrom(file), module, file, dirname(file));
  return module.exports;
}

/** Our own bundles come from here, everything else from Node. */
function requireFrom(file: string): Require {
  let ofNode: Require | undefined;
  return (name) => {
    if (/^\..*\.cjs$/.test(name) && !name.includes('/vendor/')) return load(join(dirname(file), name));
    ofNode ??= modules.createRequire(file);
    return ofNode(name);
  };
}

function codeOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file + SUFFIX);
  } catch {
    return undefined; // a bundle that is seldom needed
  }
}
