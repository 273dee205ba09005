/**
 * What `stale` and `retries` free on recorded coding sessions, in characters: `node bench/stale.mjs [folder]` (by
 * default ../shared/transcripts) writes bench/STALE.md. A coding session is a transcript with at least three calls that
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
    const freed = COLUMNS.map(({ id, options }) => {
      const { apply, options: known } = transformNamed(id);
      return characters - charactersOf(apply(transcript, { ...defaultsOf(known), ...options }, counts));
    });
    return [{ format: opened.detection.format.id, characters, freed }];
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

const lines = [
  '# What `stale` and `retries` free',
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
];
writeFileSync('bench/STALE.md', lines.join('\n'));
console.log(lines.join('\n'));
