// `npm run fuzz`: runs commands on small recordings in which values are changed at random, with the words that the code
// of their format has (bench/variants/candidates.mjs), or with odd ones. Each is run through one command, through
// `check --fix`, and through two steps at once and one after the other (bench/fuzz/trials.mjs). What fails is printed
// with the file that it needs, kept in fuzz.tmp.
// `-- --minutes 10`; `--seed 2`: other changes; `--changes 3`: so many in each file, at most; `--from ../shared/cases`:
// other recordings than the fixtures, up to `--largest 40000` bytes each.
// Exit 1: an internal error, a document that is no JSON, a value such as `undefined` in what is printed, a control
// character, a fix that says otherwise than is found in what it wrote, steps that make something else of what they
// wrote, a trial that takes all memory, one that does not end, or nothing to try.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
    changes: { type: 'string', default: '3' },
    from: { type: 'string', default: 'fixtures/formats' },
    largest: { type: 'string', default: '12000' },
  },
});
/** Seconds after which a trial does not end: the longest take two on a busy machine. */
const PATIENCE = 60;
/** Of a worker. */
const MEGABYTES = 1_500;

const folder = resolve('fuzz.tmp');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const deadline = Date.now() + Number(values.minutes) * 60_000;
const kinds = new Map();
let tried = 0;

console.log(`seed ${values.seed}`);
for (let seed = Number(values.seed); Date.now() < deadline; seed += 1_000) {
  await trialsFrom(seed);
  if (tried === 0) break; // there is nothing to try
}
console.log(`${tried} files, ${[...kinds.values()].reduce((sum, count) => sum + count, 0)} faults`);
if (kinds.size > 0 || tried === 0) process.exitCode = 1;

/** Ends at the deadline, or with a trial that ends the worker. */
function trialsFrom(seed) {
  const worker = new Worker(new URL('./fuzz/trials.mjs', import.meta.url), {
    workerData: { seed, folder, changes: Number(values.changes), from: values.from, largest: Number(values.largest) },
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
  let current = { file: '', text: '', trial: 'start' };
  let begun = Date.now();
  const watch = setInterval(() => {
    const isStuck = Date.now() - begun > PATIENCE * 1_000;
    if (isStuck) told(current, `${current.trial}: does not end`);
    if (isStuck || Date.now() > deadline) worker.terminate();
  }, 500);
  worker.on('message', ({ fault, ...news }) => {
    if (news.text !== undefined) tried++;
    current = { ...current, ...news };
    begun = Date.now();
    if (fault !== undefined) told(current, `${current.trial}: ${fault}`);
  });
  worker.on('error', (error) => told(current, `${current.trial}: ${error.stack}`));
  return new Promise((end) => {
    worker.on('exit', () => {
      clearInterval(watch);
      end();
    });
  });
}

/** Prints the first fault of a kind in a format, and keeps its file. */
function told({ file, text }, fault) {
  const kind = `${file.split('/')[0]} ${fault.replaceAll(/\d+|\{.*?\}/g, '').slice(0, 80)}`;
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (kinds.get(kind) > 1) return;
  const kept = join(folder, `fault-${kinds.size}-${basename(file)}`);
  writeFileSync(kept, text);
  console.log(`${kept}\n  ${fault}`);
}
