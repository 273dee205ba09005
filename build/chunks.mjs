// Which modules of the program share a file, and how the files are named.
import { existsSync, readdirSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';

/** Commands whose words and options need nothing that the program has not loaded. */
const LIGHT = [
  ...['audit', 'completion', 'convert', 'diff', 'formats', 'overview', 'policy', 'prices', 'rules', 'sessions', 'show'],
];

/**
 * Chunks that hold their roots with all that these import, the first chunk first: one file loads faster than many.
 * Every other module that loads on demand (`import()`) becomes a chunk of its own.
 */
const CHUNKS = [
  { name: 'cli', roots: ['cli/main', 'cli/cli', 'cli/options/command'] },
  {
    name: 'rewrite',
    roots: [
      ...['cli/commands/rewrite/index', 'cli/commands/rewrite/run'],
      'formats/openai/openai-chat', // it always comes into question
      ...readdirSync('src/formats/shared').map((file) => `formats/shared/${file.replace(/\.ts$/, '')}`),
    ],
  },
  {
    name: 'measure',
    roots: ['cli/commands/stats/run', 'cli/commands/diff/run', 'cli/context/context', 'cli/outputs/rewrite-observer'],
  },
  {
    name: 'check',
    // with what several chunks of rules import
    roots: [
      ...['cli/commands/check/run', 'cli/commands/run/run', 'rules/shared/model-turns'],
      ...['first-message-user', 'tool-input-not-object', 'tool-use-id-duplicate'].map((id) => `rules/anthropic/${id}`),
    ],
  },
  { name: 'findings', roots: ['github', 'gitlab', 'json', 'junit', 'sarif'].map((id) => `reports/findings/${id}`) },
  { name: 'packed', roots: ['compressed', 'zstd', 'cassette', 'staged'].map((id) => `cli/files/${id}`) },
  { name: 'inputs-plugins', roots: ['cli/inputs/plugins', 'cli/inputs/import-module'] },
  { name: 'commands', roots: LIGHT.map((id) => `cli/commands/${id}/index`) }, // a few lines each
];

/** Chunks of the library: what every adapter imports, and what they load with the first messages. */
const LIBRARY_CHUNKS = [
  {
    name: 'trim',
    roots: [
      ...['hooks/trim', 'decimals', 'transcript/pairs', 'transcript/usage', 'formats/encode'],
      ...['derived-ids', 'map-values', 'media', 'recorded'].map((id) => `formats/shared/${id}`),
    ],
  },
  { name: 'transforms', roots: ['hooks/applied'] },
];

export const groups = groupsOf(CHUNKS);
export const libraryGroups = groupsOf(LIBRARY_CHUNKS);

/** The same for rolldown. */
function groupsOf(chunks) {
  return chunks.map(({ name, roots }, index) => {
    const modules = new Set(roots.map((root) => resolve('src', `${root}.ts`)));
    for (const module of modules) if (!existsSync(module)) throw new Error(`chunk ${name}: there is no ${module}`);
    return { name, test: (id) => modules.has(id), priority: chunks.length - index };
  });
}

/** A chunk is named by its module: src/cli/commands/check/run.ts is `commands-check-run`; a library by its package. */
export function chunkName({ name, facadeModuleId: module }) {
  if (module === null || module === undefined || name === 'cli') return name;
  const [, library] = /node_modules\/(?:@[^/]+\/)?([^/]+)/.exec(module.replaceAll(sep, '/')) ?? [];
  if (library !== undefined) return `vendor/${library}`;
  const path = module.slice(resolve('src').length + 1).replaceAll(sep, '/');
  return (
    path
      .replace(/^cli\//, '')
      .replace(/\.ts$/, '')
      .replaceAll('/', '-') || basename(module)
  );
}
