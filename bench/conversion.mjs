/**
 * What convert writes, held against the published schemas: a table of target × documents × invalid over a folder of
 * recordings and random histories. `node bench/conversion.mjs [folder] [histories]`; by default ../shared/transcripts
 * and 1000 of each format. It converts with what was built (npm run build), and judges as test/shared/schemas.ts does.
 * Exit code 1 where anything is refused.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { convert } from '../dist/lib/index.js';

const [folder = '../shared/transcripts', histories = '1000'] = process.argv.slice(2);
/** What stands in a recording for values that nobody is to see: no API gave them. */
const TRIMMED = '[trimmed for fixture]';
/** The measure of speed repeats one recording a thousand times. */
const SKIPPED = /^perf\//;

/** The judge and the histories of the tests, which are TypeScript. */
async function tests() {
  const home = mkdtempSync(join('node_modules', '.conversion-'));
  try {
    const input = { schemas: 'test/shared/schemas.ts', histories: 'test/shared/random-histories.ts' };
    const bundled = await rolldown({ input, platform: 'node', external: /^[^./]/ });
    await bundled.write({ dir: home, format: 'esm', entryFileNames: '[name].mjs' });
    const load = (name) => import(pathToFileURL(join(home, `${name}.mjs`)).href);
    return { ...(await load('schemas')), ...(await load('histories')) };
  } finally {
    rmSync(home, { recursive: true });
  }
}

const { judged, randomHistory, refused } = await tests();

const LISTS = { 'openai-responses': 'input', 'gemini-contents': 'contents' };

/**
 * How many documents a text becomes in a format, how many of them its schema refuses, and in how many something was
 * mended or lost.
 */
function judge(text, to, from) {
  const counts = { documents: 0, invalid: 0, mended: 0, lossy: 0 };
  for (const { value, lost, repairs } of convert(text, to, from === undefined ? {} : { from })) {
    const messages = Array.isArray(value) ? value : value[LISTS[to] ?? 'messages'];
    counts.documents++;
    if (repairs.length > 0) counts.mended++;
    if (lost.some(({ loss }) => loss)) counts.lossy++;
    const [fault] = refused(to, messages);
    if (fault === undefined) continue;
    counts.invalid++;
    if (counts.invalid === 1) console.error(`${to}: ${fault}`);
  }
  return counts;
}

const unread = new Set();

function* recordings() {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:jsonl?|traj|responses)$/.test(name) || SKIPPED.test(name) || !statSync(join(folder, name)).isFile())
      continue;
    const text = readFileSync(join(folder, name), 'utf8');
    if (text.includes(TRIMMED)) unread.add(`${name}: values were cut out of it`);
    else yield { name, text };
  }
}

function* random() {
  for (const from of judged)
    for (let seed = 1; seed <= Number(histories); seed++)
      yield { name: `${from} ${seed}`, text: JSON.stringify(randomHistory(from, seed)), from };
}

const rows = [];
for (const [source, inputs] of [
  [folder, [...recordings()]],
  [`${histories} random histories of ${judged.length} formats`, [...random()]],
]) {
  for (const to of judged) {
    const sum = { documents: 0, invalid: 0, mended: 0, lossy: 0 };
    for (const { name, text, from } of inputs) {
      try {
        const counts = judge(text, to, from);
        for (const key of Object.keys(sum)) sum[key] += counts[key];
      } catch (error) {
        if (error.name !== 'TranscriptError') throw error;
        unread.add(`${name}: ${error.message}`);
      }
    }
    rows.push({ source, to, ...sum });
  }
}
console.log('| source | target | documents | invalid | mended | lossy |\n| --- | --- | ---: | ---: | ---: | ---: |');
for (const row of rows) console.log(`| ${Object.values(row).join(' | ')} |`);
for (const reason of unread) console.error(`not read: ${reason}`);
process.exitCode = rows.some(({ invalid }) => invalid > 0) ? 1 : 0;
