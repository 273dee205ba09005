/**
 * What steps free on recorded coding sessions, in characters: `node bench/stale.mjs [folder]` (by default
 * ../shared/transcripts) writes bench/STALE.md. A coding session is a transcript with at least three calls that
 * read or edit files and 10,000 characters.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const [folder = '../shared/transcripts'] = process.argv.slice(2);
if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`);
/** Markdown, archives, and a measure of speed that repeats one recording. */
const SKIPPED = /^perf|\.md$|\.eval$|MANIFEST/;
const LEAST = { calls: 3, characters: 10_000 };

const COLUMNS = [
  { name: 'stale --reads', id: 'stale', options: { reads: true } },
  { name: 'stale --edits', id: 'stale', options: { edits: true } },
  { name: 'stale', id: 'stale', options: {} },
  { name: 'stale --every 20', id: 'stale', options: { every: 20 } },
  { name: 'retries', id: 'retries', options: {} },
  { name: 'retries --drop', id: 'retries', options: { drop: true } },
  { name: 'dedupe', id: 'dedupe', options: {} },
];

/** What changes results alone, as a share of their characters. `after`: a step that runs before. */
const OFFLOAD = { dir: 'results', store: () => {} };
const OF_RESULTS = [
  { name: '`stale --reads`', id: 'stale', options: { reads: true } },
  { name: '`dedupe --lines`', id: 'dedupe', options: { lines: true } },
  { name: '`stale`, then `dedupe --lines`', id: 'dedupe', options: { lines: true }, after: 'stale' },
  { name: '`dedupe`', id: 'dedupe', options: {} },
  { name: '`offload --over 8000`', id: 'offload', options: OFFLOAD },
  { name: '`offload --over 2000`', id: 'offload', options: { ...OFFLOAD, over: 2000 } },
  { name: '`truncate --max-length 8000`', id: 'truncate', options: { maxLength: 8000 } },
  { name: '`truncate --max-length 4000`', id: 'truncate', options: {} },
  ...['ansi', 'progress', 'gutters', 'headers', 'base64'].map((kind) => ({
    name: `\`strip-noise --only ${kind}\``,
    id: 'strip-noise',
    options: { only: [kind] },
  })),
  { name: '`strip-noise`', id: 'strip-noise', options: {} },
  { name: '`clear --trigger 0 --keep 10`', id: 'clear', options: { trigger: 0, keep: 10 } },
  {
    name: '`clear --trigger 0 --keep 10 --min-size 1000`',
    id: 'clear',
    options: { trigger: 0, keep: 10, minSize: 1000 },
  },
];

/** The sources, which are TypeScript. */
async function sources() {
  const home = mkdtempSync(join('node_modules', '.stale-'));
  try {
    const input = {
      calls: 'src/transforms/file-calls.ts',
      index: 'src/transforms/index.ts',
      option: 'src/options/option.ts',
      counting: 'src/measure/stats/counting.ts',
      opened: 'test/shared/opened.ts',
    };
    const bundled = await rolldown({ input, platform: 'node', external: /^[^./]/ });
    await bundled.write({ dir: home, format: 'esm', entryFileNames: '[name].mjs' });
    const modules = Object.keys(input).map((name) => import(pathToFileURL(join(home, `${name}.mjs`)).href));
    return Object.assign({}, ...(await Promise.all(modules)));
  } finally {
    rmSync(home, { recursive: true });
  }
}

const { fileCallOf, fileToolsWith, transformNamed, defaultsOf, createCounting, openText } = await sources();
const counts = createCounting(undefined, () => (text) => text.length);
const tools = fileToolsWith({ reads: [], edits: [] });

const lengthOf = (text) => (typeof text === 'string' ? text : text.text).length;
const partLength = (part) => {
  if (part.type === 'call') return lengthOf(part.input);
  if (part.type === 'result') return part.content.reduce((sum, piece) => sum + partLength(piece), 0);
  return part.text === undefined ? 0 : lengthOf(part.text);
};
const charactersOf = ({ messages }) =>
  messages.reduce((sum, { parts }) => sum + parts.reduce((all, part) => all + partLength(part), 0), 0);

const resultsOf = ({ messages }) =>
  messages.reduce(
    (sum, { parts }) => sum + parts.reduce((all, part) => all + (part.type === 'result' ? partLength(part) : 0), 0),
    0,
  );

/** What a step frees by a measure. */
function freedBy(transcript, { id, options, after }, measure) {
  const through = (before, name, given) => {
    const { apply, options: known } = transformNamed(name);
    return apply(before, { ...defaultsOf(known), ...given }, counts);
  };
  const before = after === undefined ? transcript : through(transcript, after, {});
  return measure(transcript) - measure(through(before, id, options));
}

function sessionsIn(file) {
  let opened;
  try {
    opened = openText(readFileSync(join(folder, file)));
  } catch {
    return []; // no transcript
  }
  return opened.transcripts.flatMap((transcript) => {
    const parts = transcript.messages.flatMap((message) => message.parts);
    const calls = parts.filter((part) => part.type === 'call' && fileCallOf(part, tools, transcript.project));
    const characters = charactersOf(transcript);
    if (calls.length < LEAST.calls || characters < LEAST.characters) return [];
    const freed = COLUMNS.map((step) => freedBy(transcript, step, charactersOf));
    const results = resultsOf(transcript);
    const ofResults = OF_RESULTS.map((step) => freedBy(transcript, step, resultsOf));
    return [{ format: opened.detection.format.id, characters, freed, results, ofResults }];
  });
}

const sessions = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => !SKIPPED.test(name) && statSync(join(folder, name)).isFile())
  .sort()
  .flatMap(sessionsIn);
const formats = [...new Set(sessions.map(({ format }) => format))];
const byFormat = formats.map((name) => [name, sessions.filter(({ format }) => format === name)]);

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const sum = (values) => values.reduce((total, value) => total + value, 0);
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

function row(name, own) {
  const all = sum(own.map(({ characters }) => characters));
  const cells = COLUMNS.map((_, index) => {
    const share = sum(own.map(({ freed }) => freed[index])) / all;
    return `${percent(share)} / ${percent(median(own.map(({ characters, freed }) => freed[index] / characters)))}`;
  });
  return `| ${[name, own.length, Math.round(all / 1000).toLocaleString('en-US'), ...cells].join(' | ')} |`;
}

const GROUPS = [
  ['Claude Code', 'claude-code'],
  ['Codex', 'codex-rollout'],
  ['pi', 'pi-session'],
  ['all', undefined],
].map(([title, format]) => [title, sessions.filter((one) => format === undefined || one.format === format)]);

const resultRow = ({ name }, index) => {
  const cells = GROUPS.map(([, own]) => {
    const share = (one) => (one.results === 0 ? 0 : one.ofResults[index] / one.results);
    const together = sum(own.map(({ ofResults }) => ofResults[index])) / sum(own.map(({ results }) => results));
    return `${percent(together)} / ${percent(median(own.map(share)))}`;
  });
  return `| ${[name, ...cells].join(' | ')} |`;
};

const lines = [
  '# What steps free',
  '',
  'Share of all characters of recorded coding sessions: of all together / median of a session. A coding session is a',
  `transcript with ${LEAST.calls} calls that read or edit files and ${LEAST.characters.toLocaleString('en-US')} ` +
    'characters at least. `dedupe` for comparison.',
  'Written by `node bench/stale.mjs`.',
  '',
  `| format | sessions | characters (1,000) | ${COLUMNS.map(({ name }) => `\`${name}\``).join(' | ')} |`,
  `| --- | --: | --: | ${COLUMNS.map(() => '--:').join(' | ')} |`,
  ...byFormat.sort(([, a], [, b]) => b.length - a.length).map(([format, own]) => row(format, own)),
  row('all', sessions),
  '',
  '## Of the tool results',
  '',
  'Share of the characters of tool results that each step frees: of all together / median of a session. `offload` keeps',
  'the exact text in a file, `truncate` and `strip-noise` change a result once, when it arrives. Each kind of noise alone,',
  'then all of them.',
  '',
  `| step | ${GROUPS.map(([title, own]) => `${title} (${own.length})`).join(' | ')} |`,
  `| --- | ${GROUPS.map(() => '--:').join(' | ')} |`,
  ...OF_RESULTS.map(resultRow),
  '',
];
writeFileSync('bench/STALE.md', lines.join('\n'));
console.log(lines.join('\n'));
