/** Promises 1 to 3 for every transform over every recording. */
import { describe, expect, it } from 'vitest';
import { PIXEL } from '../../src/formats/shared/pixel.js';
import { guardOf } from '../../src/policy/guard.js';
import type { Policy } from '../../src/policy/types.js';
import type { Part, ResultPart, Transcript } from '../../src/transcript/types.js';
import { ALL } from '../shared/effort.js';
import { chatOf, complaints, judged, judgedAs } from '../shared/judge.js';
import { lawful } from '../shared/lawful.js';
import { fixtures, type Recording, sampled, sharedRecordings } from '../shared/recordings.js';
import { rewriteText } from '../shared/rewrite-text.js';
import { forEveryTransform, type Trial, unmeant } from '../shared/trials.js';
import { faultsOf } from '../shared/valid-chat.js';

/** This many bytes of a recording show what the rest would. */
const ENOUGH = 200_000;
/** A longer document takes seconds for each trial. */
const LONG = 1_000_000;

const POLICY: Policy = { version: 1, rules: [{ id: 'a', type: 'max_calls', tool: '*', max: 1 }] };

const CHOSEN: readonly Trial[] = [
  ['patch', {}],
  ['patch', { lang: 'ja', placeholder: 'auto', orphan: 'text', duplicate: 'last' }],
  ['filter', { maxToolCalls: 0 }],
  ['filter', { maxToolCalls: 1, unit: 'round' }],
  ['filter', { maxToolCalls: 3 }],
  ['filter', { maxToolCalls: 1, scope: 'history', pending: 'drop', dropUser: true }],
  ['filter', { maxToolCalls: 1, every: 2, dropUser: true }],
  ['truncate', { maxLength: 1000 }],
  ['truncate', { maxLength: 50, noMinimum: true }],
  ['truncate', { maxLength: 80, noMinimum: true, unit: 'bytes', keep: 'both', lang: 'zh' }],
  ['truncate', { maxLength: 60, noMinimum: true, unit: 'tokens', keep: 'tail', lang: 'ja' }],
  ['truncate', { for: '2k' }],
  ['truncate', { preset: ['calculator', 'api=*{read,search}*'] }],
  ['clear', { trigger: 0, keep: 1 }],
  ['clear', { trigger: 500, keep: 0, clearAtLeast: 200, clearInputs: true, lang: 'zh' }],
  ['clear', { trigger: 0, keep: 0, every: 3 }],
  ['dedupe', {}],
  ['dedupe', { ignoreArg: ['path', 'command', 'city', 'query', 'location', 'cmd', 'file_path'], every: 2 }],
  ['dedupe', { ignoreArg: ['path', 'command', 'city', 'query', 'location', 'cmd', 'file_path'], lang: 'ja' }],
  ['stale', {}],
  ['stale', { reads: true, every: 2, pathArg: ['search=query', 'get_weather=city'], lang: 'zh' }],
  ['stale', { edits: true, editPathArg: ['search=query'], lang: 'ja' }],
  ['retries', {}],
  ['retries', { drop: true }],
  ['prune', { reasoning: true }],
  ['prune', { images: true, empty: true, records: true, lang: 'ja' }],
  ['prune', { reasoning: true, images: true, empty: true, records: true, scope: 'history' }],
  ['fit', { maxTokens: 2000 }],
  ['fit', { maxTokens: 1000, unit: 'round', everything: true }],
  ['fit', { maxTokens: 1000, unit: 'auto', everything: true }],
  ['fit', { maxTokens: 1500, lowWater: 0.5, unit: 'round' }],
  ['fit', { maxTokens: 1500, strategy: 'first', unit: 'round' }],
  ['fit', { maxTokens: 1500, strategy: 'first', unit: 'auto' }],
  ['strip', {}],
  ['strip', { keepText: true, keepToolNames: true, retryPrompt: true, lang: 'ja' }],
  ['strip', { retryPrompt: 'Not {tools}: something else than {tools}.', lang: 'zh' }],
  ['inject', { system: 'Be brief.\n', user: 'Go on.' }],
  ['guard', { policy: guardOf(POLICY) }],
];
const STEPS = forEveryTransform(CHOSEN);

/** Transforms to leave out, by recording. */
const EXCEPT: Readonly<Record<string, readonly string[]>> = {
  // Two spans tell of one conversation, and only one of them takes a prompt: then they are two.
  'otlp/hand-genai.jsonl': ['inject'],
  'otel/openclaw_sample-telemetry.jsonl': ['inject'],
};

/**
 * Half of all trials over some fixtures; over others one for every second transform, over what is shared one for each,
 * and others over the next.
 */
const whole = new Set(sampled(fixtures(), 'transforms', 2).map(({ name }) => name));
const isTurn = (at: number) => (_: Trial, index: number) => ALL || index % 2 === at % 2;
const halfOf = (at: number) => STEPS.filter(isTurn(at));
const TRIALS = [
  ...fixtures().map((recording, at) => ({
    ...shortened(recording),
    steps: whole.has(recording.name) ? halfOf(at) : oneOfEach(STEPS, at, false).filter(isTurn(at)),
  })),
  ...sampled(sharedRecordings(), 'transforms').map((recording, at) => ({
    ...shortened(recording),
    steps: oneOfEach(STEPS, at, recording.bytes.length > LONG && !recording.name.endsWith('.jsonl')),
  })),
];

describe.each(TRIALS)('$name', ({ name, bytes, steps }) => {
  const text = bytes.toString();
  const before = judged(text);
  const { format } = before.opened.detection;

  it.each(steps.filter(([id]) => !EXCEPT[name]?.includes(id)))('%s %j', (id, options) => {
    const output = rewriteText(text, id, options);
    const after = output === text ? before : judgedAs(format.id, output);
    lawful(unmeant(id, complaints(before, after)));
    if (output !== text) expect(rewriteText(output, id, options) === output).toBe(true);
    const live = after.opened.transcripts.filter(({ abandoned }) => abandoned === undefined);
    for (const transcript of live) lawful(left(transcript, id, options));
    if (id !== 'patch') return;
    for (const transcript of live) {
      const faults = faultsOf(chatOf(transcript));
      // A recorded reply ends on the calls it makes: nothing can follow it there.
      expect(
        transcript.traits.endsOnReply ? faults.filter((fault) => !/^call .* has no result$/.test(fault)) : faults,
      ).toEqual([]);
    }
  });
});

/** What `prune` was to take away, and did not. */
function left(
  { messages }: Transcript,
  id: string,
  { scope, reasoning, images, records }: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  if (id !== 'prune' || scope === 'history') return [];
  const parts = messages.flatMap((message) =>
    message.parts.flatMap((part): readonly Part[] => (part.type === 'result' ? contentOf(part) : [part])),
  );
  const isLeft = (part: Part) =>
    (reasoning === true && part.type === 'thinking') ||
    (images === true && part.type === 'media' && part.kind === 'image');
  return [...parts.filter(isLeft), ...messages.filter(({ discardable }) => records === true && discardable)];
}

/** What a computer shows cannot go: a blank picture stands in its place. */
function contentOf({ kind, content }: ResultPart): readonly Part[] {
  return kind === 'computer_call' ? content.filter((part) => !JSON.stringify(part).includes(PIXEL)) : content;
}

/** Whole lines from the beginning of a JSON Lines file that is longer than needed; other files as they are. */
function shortened(recording: Recording): Recording {
  const { name, bytes } = recording;
  if (bytes.length <= ENOUGH || !name.endsWith('.jsonl')) return recording;
  const end = Math.max(bytes.lastIndexOf(0x0a, ENOUGH), bytes.indexOf(0x0a)) + 1;
  return { ...recording, bytes: bytes.subarray(0, end) };
}

/** One trial of each transform, of two for a long recording; the next number gives the next ones. */
function oneOfEach(trials: readonly Trial[], number: number, isLong: boolean): readonly Trial[] {
  const all = [...new Set(trials.map(([id]) => id))];
  const ids = isLong ? [all[number % all.length]!, all[(number + 1) % all.length]!] : all;
  return ids.map((id) => {
    const own = trials.filter((trial) => trial[0] === id);
    return own[number % own.length]!;
  });
}

it('has recordings that a transform bites on', () => {
  let left = CHOSEN.map((trial) => ({ trial, bites: 0 }));
  for (const { bytes } of fixtures()) {
    // one recording after the other, so that each is opened once
    const isBitten = ([id, options]: Trial) => rewriteText(bytes, id, options) !== bytes.toString();
    left = left
      .map(({ trial, bites }) => ({ trial, bites: bites + Number(isBitten(trial)) }))
      .filter(({ bites }) => bites < 2);
    if (left.length === 0) break;
  }
  lawful(left.map(({ trial }) => trial));
});
