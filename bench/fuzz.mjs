// `npm run fuzz`: runs commands on small fixtures in which values are changed at random, with the words that the code
// of their format has (bench/variants/candidates.mjs), or with odd ones. Each change is run through one command, and
// through `check --fix`. What fails is printed with the file that it needs, kept in fuzz.tmp.
// `-- --minutes 10`; `--seed 2`: other changes; `--changes 3`: so many in each file, at most.
// Exit 1: an internal error, a document that is no JSON, a value such as `undefined` in what is printed, a control
// character, or a fix that says otherwise than is found in what it wrote.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import './variants/register.mjs';
import { COMMANDS } from './fuzz/commands.mjs';
import { ODD_VALUES } from './fuzz/odd-values.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
    changes: { type: 'string', default: '3' },
  },
});
const { changedText } = await import('../test/shared/variants.ts');
const { candidatesOf, randomFrom, texts } = await import('./variants/candidates.mjs');
const { memoryTerminal } = await import('../test/shared/terminal.ts');
const { fixedText } = await import('../test/shared/fixed.ts');
const { openText } = await import('../test/shared/opened.ts');
const { isTranscriptError } = await import('../src/errors.ts');
const { runIn } = await import('../src/cli/cli.ts');
const { providers } = await import('../src/rules/providers.ts');

/** Of each fixture, at a time. */
const EACH = 30;
const folder = resolve('fuzz.tmp');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const env = { TZ: 'UTC', HOME: folder };
const random = randomFrom(Number(values.seed));
const pick = (list) => list[Math.floor(random() * list.length)];
const seen = new Map();
const deadline = Date.now() + Number(values.minutes) * 60_000;
let tried = 0;

await main();

async function main() {
  console.log(`seed ${values.seed}`);
  for (let seed = Number(values.seed); Date.now() < deadline; seed++)
    for (const [file, text] of changedFiles(seed)) {
      if (Date.now() > deadline) break;
      tried++;
      const faults = [...(await faultsOfCommand(file, text)), ...faultsOfFix(text)];
      for (const fault of faults) told(file, text, fault);
    }
  console.log(`${tried} files, ${[...seen.values()].reduce((sum, count) => sum + count, 0)} faults`);
  if (seen.size > 0) process.exitCode = 1;
}

/** Recordings with one to so many changes. */
function* changedFiles(seed) {
  const most = Number(values.changes);
  const all = candidatesOf(EACH, seed);
  for (const { file } of all) {
    const changes = all.filter((one) => one.file === file);
    let text = texts.get(file);
    for (let count = 1 + Math.floor(random() * most); count > 0; count--) text = changedBy(pick(changes), text) ?? text;
    if (text !== texts.get(file)) yield [file, text];
  }
}

function changedBy(variant, text) {
  const { change } = variant;
  const isOdd = typeof change === 'object' && random() < 0.5;
  const odd = isOdd ? { ...change, ['is' in change ? 'is' : 'value']: pick(ODD_VALUES) } : change;
  try {
    return changedText({ ...variant, change: odd }, text);
  } catch {
    return undefined; // an earlier change took the place away
  }
}

async function faultsOfCommand(file, text) {
  const name = basename(file);
  writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, `before-${name}`), texts.get(file));
  const words = pick(COMMANDS).map((word) => word.replace('BEFORE', `before-${name}`).replace('FILE', name));
  const { terminal, out, err } = memoryTerminal({ cwd: folder, env });
  const code = await runIn(terminal, words);
  const command = words.join(' ');
  const bare = out().replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  const mayHold = /NaN|undefined|Infinity|\[object/.test(text) || words[0] === 'report'; // its script has them
  return [
    ...(/internal error/.test(err()) ? [`${command}: ${/internal error.*/.exec(err())[0]}`] : []),
    ...(words.includes('json') && code < 2 && !isJson(out()) ? [`${command}: no JSON`] : []),
    ...(!mayHold && /\bNaN\b|undefined|\[object Object\]|Infinity/.test(bare) ? [`${command}: an odd value`] : []),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
    ...(/[\u0000-\u0008\u000e-\u001f]/.test(out() + err()) ? [`${command}: a control character`] : []),
  ];
}

function faultsOfFix(text) {
  const settings = {
    provider: random() < 0.5 ? undefined : pick(providers).id,
    asRequest: random() < 0.5,
  };
  const name = `check --fix ${JSON.stringify(settings)}`;
  try {
    const fixed = fixedText(text, settings);
    if (fixed.text === text || formatIn(fixed.text) !== formatIn(text)) return [];
    const again = fixedText(fixed.text, settings);
    const more = again.before.filter((found) => !fixed.left.includes(found));
    return [
      ...more.map((found) => `${name} does not say that this is left: ${found}`),
      ...(again.text === fixed.text ? [] : [`${name}: a second fix changes more`]),
    ];
  } catch (error) {
    return isTranscriptError(error) ? [] : [`${name}: ${error.stack}`];
  }
}

/** Undefined where it cannot be told: what is left may be too little, and the next run says so. */
function formatIn(text) {
  try {
    return openText(text).detection.format.id;
  } catch (error) {
    if (isTranscriptError(error)) return undefined;
    throw error;
  }
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Prints the first fault of a kind in a format, and keeps its file. */
function told(file, text, fault) {
  const kind = `${file.split('/')[0]} ${fault.replaceAll(/\d+|\{.*?\}/g, '').slice(0, 80)}`;
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
  if (seen.get(kind) > 1) return;
  const kept = join(folder, `fault-${seen.size}-${basename(file)}`);
  writeFileSync(kept, text);
  console.log(`${kept}\n  ${fault}`);
}
