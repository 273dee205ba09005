// A thread of bench/fuzz.mjs: tries changed recordings without end, and says what it is about to try and what fails.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import '../variants/register.mjs';
import { COMMANDS, STEPS } from './commands.mjs';
import { ODD_VALUES } from './odd-values.mjs';

const { changedText } = await import('../../test/shared/variants.ts');
const { candidatesOf, randomFrom, textsIn } = await import('../variants/candidates.mjs');
const { memoryTerminal } = await import('../../test/shared/terminal.ts');
const { fixedText } = await import('../../test/shared/fixed.ts');
const { openText } = await import('../../test/shared/opened.ts');
const { isTranscriptError } = await import('../../src/errors.ts');
const { runIn } = await import('../../src/cli/cli.ts');
const { providers } = await import('../../src/rules/providers.ts');

/** Of each recording, at a time. */
const EACH = 30;
const ROUNDS = 4;
const { folder } = workerData;
const texts = textsIn(workerData.from, workerData.largest);
const env = { TZ: 'UTC', HOME: folder };
const random = randomFrom(workerData.seed);
const pick = (list) => list[Math.floor(random() * list.length)];
const say = (news) => parentPort.postMessage(news);

for (let seed = workerData.seed; ; seed++)
  for (const [file, text] of changedFiles(seed)) {
    say({ file, text });
    await tryCommand(file, text);
    tryFix(text);
    await trySteps(file, text);
  }

/** Recordings with one to so many changes. */
function* changedFiles(seed) {
  const all = candidatesOf(EACH, seed, texts);
  for (const { file } of all) {
    const changes = all.filter((one) => one.file === file);
    let text = texts.get(file);
    for (let count = 1 + Math.floor(random() * workerData.changes); count > 0; count--)
      text = changedBy(pick(changes), text) ?? text;
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

async function tryCommand(file, text) {
  const name = basename(file);
  writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, `before-${name}`), texts.get(file));
  const words = pick(COMMANDS).map((word) => word.replace('BEFORE', `before-${name}`).replace('FILE', name));
  const { code, out } = await ran(words, text);
  if (words.includes('json') && code < 2 && !isJson(out)) say({ fault: 'no JSON' });
}

/** What a command prints. */
async function ran(words, text) {
  say({ trial: words.join(' ') });
  const { terminal, out, err } = memoryTerminal({ cwd: folder, env });
  const code = await runIn(terminal, words);
  const bare = out().replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  const mayHold = /NaN|undefined|Infinity|\[object/.test(text) || words[0] === 'report'; // its script has them
  if (/internal error/.test(err())) say({ fault: /internal error.*/.exec(err())[0] });
  if (!mayHold && /\bNaN\b|undefined|\[object Object\]|Infinity/.test(bare)) say({ fault: 'an odd value' });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
  if (/[\u0000-\u0008\u000e-\u001f]/.test(out() + err())) say({ fault: 'a control character' });
  return { code, out: out() };
}

/** What a fix says is left is what is found in what it wrote, and there is nothing more to fix. */
function tryFix(text) {
  const settings = {
    provider: random() < 0.5 ? undefined : pick(providers).id,
    asRequest: random() < 0.5,
  };
  say({ trial: `check --fix ${JSON.stringify(settings)}` });
  try {
    const fixed = fixedText(text, settings);
    if (fixed.text === text || formatIn(fixed.text) !== formatIn(text)) return;
    const again = fixedText(fixed.text, settings);
    const more = again.before.filter((found) => !fixed.left.includes(found));
    for (const found of more) say({ fault: `does not say that this is left: ${found}` });
    if (again.text !== fixed.text) say({ fault: 'a second fix changes more' });
  } catch (error) {
    if (!isTranscriptError(error)) say({ fault: error.stack });
  }
}

/**
 * A step that is run again changes nothing. Two steps at once make what they make one after the other: once, or in the
 * rounds in which a trace settles.
 */
async function trySteps(file, text) {
  const name = `steps-${basename(file)}`;
  const steps = [pick(STEPS), pick(STEPS)];
  const made = async (given, ...chosen) => {
    if (given === undefined) return undefined;
    writeFileSync(join(folder, name), given);
    const { code, out } = await ran(['run', ...chosen, name], text);
    return code === 0 && formatIn(out) === formatIn(text) ? out : undefined;
  };
  const fails = (words, fault) => say({ trial: `run ${words.join(' ')}`, fault });
  const once = await made(text, steps[0]);
  const twice = await made(once, steps[0]);
  if (twice !== undefined && twice !== once) fails([steps[0]], 'a second run changes more');
  const together = await made(text, ...steps);
  let byTurns = together === undefined ? undefined : text;
  for (let round = 0; round < ROUNDS && byTurns !== undefined; round++) {
    for (const step of steps) byTurns = await made(byTurns, step);
    if (byTurns === together) return;
  }
  if (byTurns === undefined || (await shown(together)) === (await shown(byTurns))) return; // an added line elsewhere
  fails(steps, 'not what they make one after the other');
}

/** What `show` prints of a text, without times. */
async function shown(text) {
  writeFileSync(join(folder, 'shown'), text);
  const { out } = await ran(['show', 'shown'], text);
  return out.replaceAll(/, at \d.*/g, '');
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
