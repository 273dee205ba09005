/**
 * How far estimated tokens are off recorded ones, and which factor and overhead of a call fit best. From request to
 * request a prompt grows by the messages between: `node bench/estimates.mjs [folder]` (by default
 * ../shared/transcripts) compares what was recorded with what is counted, and writes bench/ESTIMATES.md.
 *
 * The fit takes the least mean error of a pair, each at most 100 %. "Elsewhere" fits on all files but the one it
 * judges.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sources } from './sources.mjs';

const [folder = '../shared/transcripts'] = process.argv.slice(2);
if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`);
/** Markdown, archives, a measure of speed that repeats one recording, and two models that see other messages. */
const SKIPPED = /^perf|^tau2|\.md$|\.eval$|MANIFEST/;
/** Growth of fewer tokens says little about texts. */
const LEAST = 50;

const FAMILIES = [
  { name: 'Claude up to 4.6', model: 'claude-sonnet-4-5', holds: /claude(?!.*-4[-.][78])/ },
  { name: 'Claude since Opus 4.7', model: 'claude-opus-4-7', holds: /claude.*-4[-.][78]/ },
  { name: 'Gemini', model: 'gemini-2.5-pro', holds: /gemini/ },
  { name: 'Kimi', model: 'kimi-k2', holds: /kimi/ },
  { name: 'GPT-4o', model: 'gpt-4o', holds: /gpt-4o/ },
  { name: 'GPT-5', model: 'gpt-5', holds: /gpt-5/ },
];

const { growthOf, createCounting, modelInfo, overheadOf, createCounter, openText } = await sources({
  calibrate: 'src/measure/stats/calibrate.ts',
  counting: 'src/measure/stats/counting.ts',
  models: 'src/tokens/models.ts',
  overheads: 'src/tokens/count.ts',
  counter: 'src/tokens/bpe/counter.ts',
  opened: 'test/shared/opened.ts',
});
const { count, countBytes } = createCounter(readFileSync('dist/tables/o200k_base.bin'));
const o200k = Object.assign((text) => count(text), { bytes: countBytes });

const hasImage = ({ parts }) =>
  parts.some(({ type, content }) => type === 'media' || content?.some((part) => part.type === 'media'));
/** Not a number where an image is in it: images are counted by other rules. */
const callsIn = (message) =>
  hasImage(message) ? Number.NaN : message.parts.filter(({ type }) => type === 'call').length;

/** The pairs of requests in a file: growth as recorded, as counted with a factor of 1, and the calls in it. */
function pairsIn(file) {
  let transcripts = [];
  try {
    ({ transcripts } = openText(readFileSync(join(folder, file))));
  } catch {
    return []; // no transcript
  }
  const counting = (model) => createCounting(model, () => o200k, 1);
  const calls = (model) => ({ ...counting(model), message: callsIn });
  const flat = (growths) => growths.flatMap(({ model, pairs }) => pairs.map((pair) => ({ model, ...pair })));
  return transcripts.flatMap((transcript) => {
    const called = flat(growthOf(transcript, calls));
    return flat(growthOf(transcript, counting)).map((pair, index) => ({
      file,
      model: pair.model.toLowerCase(),
      recorded: pair.recorded,
      counted: pair.counted,
      calls: called[index].counted,
    }));
  });
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => !SKIPPED.test(name) && statSync(join(folder, name)).isFile())
  .sort();
const all = files
  .flatMap(pairsIn)
  .filter(({ recorded, counted, calls }) => recorded >= LEAST && counted > 0 && calls >= 0);

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** Errors with a factor and tokens a call more than now: median, 90th percentile, weighted by tokens, and bounded. */
function errorsOf(judged) {
  const off = judged.map(({ pair, factor, more }) =>
    Math.abs(factor * (pair.counted + more * pair.calls) - pair.recorded),
  );
  const shares = off.map((tokens, index) => tokens / judged[index].pair.recorded).sort((a, b) => a - b);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  return {
    median: at(shares, 0.5),
    p90: at(shares, 0.9),
    weighted: sum(off) / sum(judged.map(({ pair }) => pair.recorded)),
    bounded: sum(shares.map((share) => Math.min(share, 1))) / shares.length,
  };
}

const withFit = (pairs, fit) => pairs.map((pair) => ({ pair, ...fit }));

/** The factor, and the tokens a call more than now, with the least bounded error. */
function fitOf(pairs, perCall) {
  let best = { bounded: Number.POSITIVE_INFINITY };
  for (let more = -perCall; more <= 100 - perCall; more += 4)
    for (let factor = 0.8; factor <= 2; factor = Math.round((factor + 0.01) * 100) / 100) {
      const { bounded } = errorsOf(withFit(pairs, { factor, more }));
      if (bounded < best.bounded) best = { bounded, factor, more };
    }
  return { factor: best.factor, more: best.more };
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const cells = ({ median, p90, weighted }) => [median, p90, weighted].map(percent).join(' / ');

const lines = [
  '# How far estimates are off',
  '',
  'Growth of the prompt from one request to the next, counted against recorded: median / 90th percentile / weighted by',
  'tokens. Written by `node bench/estimates.mjs`; "elsewhere" is fitted on all other files than the one it judges.',
  '',
  '| family | files | pairs | factor, a call | now | best fit | with it | fitted elsewhere |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
];
for (const { name, model, holds } of FAMILIES) {
  const pairs = all.filter((pair) => holds.test(pair.model));
  if (pairs.length === 0) continue;
  const { factor } = modelInfo(model);
  const { perCall } = overheadOf(model);
  const here = [...new Set(pairs.map(({ file }) => file))];
  const best = fitOf(pairs, perCall);
  const elsewhere = here.flatMap((file) => {
    const others = pairs.filter((pair) => pair.file !== file);
    const own = pairs.filter((pair) => pair.file === file);
    return others.length === 0 ? [] : withFit(own, fitOf(others, perCall));
  });
  lines.push(
    `| ${[
      name,
      here.length,
      pairs.length,
      `${factor}, ${perCall}`,
      cells(errorsOf(withFit(pairs, { factor, more: 0 }))),
      `${best.factor}, ${perCall + best.more}`,
      cells(errorsOf(withFit(pairs, best))),
      elsewhere.length === 0 ? 'one file' : cells(errorsOf(elsewhere)),
    ].join(' | ')} |`,
  );
}
const text = `${lines.join('\n')}\n`;
writeFileSync('bench/ESTIMATES.md', text);
process.stdout.write(text);
