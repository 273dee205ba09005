// Which modules of the program, and of the library, share a file.
import {
  CHECK_MORE,
  CONVERT,
  DOCTOR,
  FILE_CALLS,
  FORMATS,
  isOf,
  LIGHT,
  OFTEN,
  REWRITE,
  SELDOM,
  SELECT,
} from './chunk-modules.mjs';

/**
 * Chunks that hold their roots with all that these import, or the modules of a test alone, the first chunk first: one
 * file loads faster than many. A chunk loads when a function needs it (lazy-chunks.mjs), so `test` keeps out what a run
 * does not call. Every other module that loads on demand (`import()`) becomes a chunk of its own.
 */
export const CHUNKS = [
  { name: 'code-cache', roots: ['cli/code-cache'] }, // loads before the others
  { name: 'doctor', test: (path) => isOf(DOCTOR, path) },
  { name: 'rewrite', test: (path) => isOf(REWRITE, path) && !isOf(FILE_CALLS, path) },
  { name: 'tables', test: (path) => /^engine\/rewrite\/tables\/(?!by-table$)/.test(path) }, // not for short files
  { name: 'often', test: (path) => isOf(OFTEN, path) },
  { name: 'seldom', test: (path) => isOf(SELDOM, path) && !FORMATS.includes(path) },
  { name: 'cli', roots: ['cli/main', 'cli/cli', 'cli/options/command'] },
  {
    name: 'core',
    roots: [
      ...FORMATS,
      ...[
        'cli/commands/rewrite/run',
        'cli/inputs/reading',
        'cli/config/paths',
        'cli/options/options',
        'cli/options/per',
        'cli/outputs/colors',
        'cli/outputs/report-outputs',
      ],
      ...['engine/context', 'measure/stats/counting', 'reports/report', 'reports/rows', 'safe/json', 'text/words'],
      ...['transcript/pairs', 'transcript/turns', 'transcript/usage'],
    ],
  },
  {
    name: 'measure',
    roots: ['cli/context/context', 'cli/context/price-list', 'measure/stats/facts', 'measure/stats/sum'],
  },
  {
    name: 'stores',
    roots: [
      'cli/complete',
      'cli/guesses',
      'cli/man',
      'cli/inputs/session-names',
      'cli/sessions/sessions',
      'cli/sessions/whole',
    ],
  },
  { name: 'diff', roots: ['cli/commands/diff/run', 'cli/outputs/rewrite-observer'] },
  { name: 'stats', roots: ['cli/commands/stats/index', 'cli/commands/stats/run'] },
  {
    name: 'merge',
    test: (path) =>
      /^(cli\/commands\/(check\/merge|stats\/(merge|part))|documents\/schemas\/(parts|stats|findings))$/.test(path),
  },
  { name: 'check-more', test: (path) => isOf(CHECK_MORE, path) },
  {
    name: 'check',
    // with what several chunks of rules import
    roots: [
      ...['cli/commands/check/index', 'cli/commands/check/run', 'cli/commands/run/run', 'rules/shared/model-turns'],
      ...['first-message-user', 'tool-input-not-object', 'tool-use-id-duplicate'].map((id) => `rules/anthropic/${id}`),
    ],
  },
  { name: 'shown', test: (path) => /^(engine\/show\/|documents\/show$|reports\/show\/arguments$)/.test(path) },
  {
    name: 'options',
    test: (path) => /^(cli\/commands\/(redact|simulate)\/options|measure\/simulation\/caches)$/.test(path),
  },
  { name: 'convert', test: (path) => isOf(CONVERT, path) },
  { name: 'findings', roots: ['github', 'gitlab', 'json', 'junit', 'sarif'].map((id) => `reports/findings/${id}`) },
  { name: 'packed', roots: ['compressed', 'zstd', 'cassette', 'staged'].map((id) => `cli/files/${id}`) },
  { name: 'fzstd', test: (path) => /fzstd/.test(path) }, // Parquet needs it, too
  { name: 'parquet', roots: ['cli/files/parquet'] }, // with its libraries
  { name: 'select', test: (path) => isOf(SELECT, path) },
  { name: 'inputs-plugins', roots: ['cli/inputs/plugins', 'cli/inputs/import-module'] },
  { name: 'commands', roots: LIGHT.map((id) => `cli/commands/${id}/index`) }, // a few lines each
];

/** Chunks of the library: what every adapter imports, and what they load with the first messages. */
export const LIBRARY_CHUNKS = [
  {
    name: 'trim',
    roots: [
      ...['hooks/trim', 'hooks/with-methods', 'decimals', 'transcript/pairs', 'transcript/usage', 'formats/encode'],
      ...['custom-calls', 'derived-ids', 'map-values', 'recorded', 'table'].map((id) => `formats/shared/${id}`),
    ],
  },
  { name: 'transforms', roots: ['hooks/applied', 'formats/shared/media'] },
  { name: 'sent', roots: ['hooks/breakpoints'] }, // what becomes of trimmed messages
];
