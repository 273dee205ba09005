/** Whatever order a recording is in: a second run of a transform changes nothing, and `patch` answers every call. */
import { describe, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import { run, type StepName } from '../../src/index.js';
import { isOpen, pair } from '../../src/transcript/pairs.js';
import { lawful } from '../shared/lawful.js';
import { randomFrom } from '../shared/malform.js';
import { openText } from '../shared/opened.js';
import { runs } from '../shared/random-runs.js';
import { fixtures, type Recording, sampled } from '../shared/recordings.js';
import { shuffled } from '../shared/shuffled.js';
import { forEveryTransform } from '../shared/trials.js';

const PATCHES = [
  {},
  { placeholder: 'auto', orphan: 'text' },
  { pending: 'drop', orphan: 'text', duplicate: 'last' },
].map((options) => ({ transform: 'patch', ...options }) as StepName);
const STEPS = [
  ...PATCHES,
  ...forEveryTransform([
    ['patch', { late: 'drop' }],
    ['filter', { maxToolCalls: 1, dropUser: true }],
    ['truncate', { maxLength: 20, noMinimum: true, keep: 'both' }],
    ['clear', { trigger: 0, keep: 0, clearInputs: true }],
    ['prune', { reasoning: true, images: true, empty: true, records: true }],
    ['fit', { maxTokens: 100 }],
    ['strip', { keepText: true, retryPrompt: true }],
    ['strip', {}],
  ]).map(([transform, options]) => ({ transform, ...options }) as StepName),
];

/** What stands further on in longer ones is of the same shapes. */
const LONGEST = 12_000;
const recordings = sampled(
  fixtures().filter(({ bytes }) => bytes.length <= LONGEST),
  'shuffled',
);
const { numRuns, seed = Date.now() } = runs(1 / 6000);

describe.each(recordings)('$name', (recording) => {
  it('in disorder', () => {
    const faults: string[] = [];
    for (let at = seed; at < seed + numRuns; at++) faults.push(...faultsOf(recording, at));
    lawful(faults);
  });
});

function faultsOf(recording: Recording, seed: number): string[] {
  const text = shuffled(recording, randomFrom(seed));
  return STEPS.flatMap((step) => {
    const once = outcome(text, step, recording);
    if (once === undefined || once.trim() === '') return [];
    const what = `seed ${seed}: ${JSON.stringify(step)}`;
    if (outcome(once, step, recording) !== once) return [`${what} changes its own output`];
    return PATCHES.includes(step) && isFaulty(once, recording) ? [`${what} leaves calls or results alone`] : [];
  });
}

/** Undefined if refused. */
function outcome(text: string, step: StepName, { format }: Recording): string | undefined {
  try {
    return run(text, [step], { from: format!, countTokens: (counted) => counted.length });
  } catch (error) {
    if (isTranscriptError(error)) return undefined;
    throw error;
  }
}

function isFaulty(text: string, { format }: Recording): boolean {
  return openText(text, { from: format! }).transcripts.some(({ messages, traits, abandoned }) => {
    if (abandoned !== undefined || traits.omitsResults === true) return false; // nothing is answered there
    const { calls, results } = pair(messages);
    const mayBeOpen = traits.endsOnReply === true || messages.some(({ parts }) => parts.some(isAwaiting));
    return results.some(({ call }) => call === undefined) || (!mayBeOpen && calls.some(isOpen));
  });
}

function isAwaiting(part: object): boolean {
  return 'awaitsApproval' in part;
}
