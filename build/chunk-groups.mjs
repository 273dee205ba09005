// Chunks as rolldown wants them, and how their files are named.
import { existsSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import { CHUNKS, LIBRARY_CHUNKS } from './chunks.mjs';

export const groups = groupsOf(CHUNKS);
export const libraryGroups = groupsOf(LIBRARY_CHUNKS);

function groupsOf(chunks) {
  return chunks.map(({ name, roots = [], test }, index) => {
    const priority = chunks.length - index;
    if (test !== undefined)
      return { name, test: (id) => test(pathOf(id)), priority, includeDependenciesRecursively: false };
    const modules = new Set(roots.map((root) => resolve('src', `${root}.ts`)));
    for (const module of modules) if (!existsSync(module)) throw new Error(`chunk ${name}: there is no ${module}`);
    return { name, test: (id) => modules.has(id), priority };
  });
}

/** A chunk is named by its module: src/cli/commands/check/run.ts is `commands-check-run`; a library by its package. */
export function chunkName({ name, facadeModuleId: module }) {
  if (module === null || module === undefined || name === 'cli' || name === 'code-cache') return name;
  const [, library] = /node_modules\/(?:@[^/]+\/)?([^/]+)/.exec(module.replaceAll(sep, '/')) ?? [];
  if (library !== undefined) return `vendor/${library}`;
  return (
    pathOf(module)
      .replace(/^cli\//, '')
      .replaceAll('/', '-') || basename(module)
  );
}

/** Below `src`: `cli/commands/check/run`. */
function pathOf(module) {
  return module
    .slice(resolve('src').length + 1)
    .replaceAll(sep, '/')
    .replace(/\.ts$/, '');
}
