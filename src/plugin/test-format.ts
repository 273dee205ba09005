/** `testFormat`: the laws of formats, for the tests of plugins. */
import { isTranscriptError } from '../errors.js';
import type { Format } from '../formats/format.js';
import { addFormats } from '../formats/index.js';
import { defaultsOf } from '../options/option.js';
import { open, save } from '../source/recording.js';
import type { Transcript } from '../transcript/types.js';
import { transformNamed } from '../transforms/index.js';
import { rewriteBy, type Step } from '../transforms/pipeline.js';
import { NO_COUNTS } from '../transforms/transform.js';
import { LAWS, PLUGIN_LAWS, type Subject } from './laws.js';
import { pluginFrom } from './plugin.js';

/** The faults that one error names. */
const MOST = 10;

/**
 * Tries the laws of formats on recordings, by their names. Throws an Error that says for each fault the recording, the
 * law and the first difference.
 */
export function testFormat(format: Format, recordings: Readonly<Record<string, string | Uint8Array>>): void {
  pluginFrom({ formats: [format] });
  const leave = addFormats([format]);
  try {
    const all = Object.entries(recordings).flatMap(([name, text]) => faultsIn(format, name, text));
    if (Object.keys(recordings).length === 0) all.push('there are no recordings to try it on');
    if (all.length === 0) return;
    const more = all.length > MOST ? [`and ${all.length - MOST} more`] : [];
    throw new Error([`\`${format.id}\` breaks its laws:`, ...all.slice(0, MOST), ...more].join('\n- '));
  } finally {
    leave();
  }
}

function faultsIn(format: Format, name: string, text: string | Uint8Array): string[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  try {
    const recording = open(bytes);
    if (recording.format !== format.id)
      return [`${name}: it is taken for ${recording.format}; \`score\` is too low, or no signature is in it`];
    const subject: Subject = { format, recording, bytes };
    return Object.entries({ ...LAWS, ...PLUGIN_LAWS, ...STEP_LAWS }).flatMap(([law, faults]) => {
      const first = firstOf(() => faults(subject));
      return first === undefined ? [] : [`${name}: ${first} (the law: ${law})`];
    });
  } catch (error) {
    if (isTranscriptError(error)) return [`${name}: it cannot be opened: ${error.message}`];
    throw error;
  }
}

/** What the format throws is a fault, too. */
function firstOf(faults: () => Iterable<string>): string | undefined {
  try {
    const [first] = faults();
    return first;
  } catch (error) {
    return `it throws ${error}`;
  }
}

/** By how they are typed. */
const STEPS: readonly (readonly [line: string, id: string, options: Readonly<Record<string, unknown>>])[] = [
  ['patch --pending drop --orphan drop', 'patch', { pending: 'drop', orphan: 'drop' }],
  ['filter --max-tool-calls 0', 'filter', { maxToolCalls: 0 }],
  ['truncate --max-length 10', 'truncate', { maxLength: 10 }],
];

const STEP_LAWS: typeof LAWS = {
  'what a command wrote is read again, and a second run changes nothing': function* (subject) {
    for (const [line, id, options] of STEPS) {
      const transform = transformNamed(id);
      const step: Step = { transform, values: { ...defaultsOf(transform.options), ...options } as Step['values'] };
      const once = changed(subject.bytes, step);
      if (open(once).transcripts.every(({ messages }) => messages.length === 0)) continue;
      if (!Buffer.from(once).equals(changed(once, step))) yield `\`${line}\` changes its own output`;
    }
  },
};

function changed(bytes: Uint8Array, step: Step): Uint8Array {
  const recording = open(bytes);
  const apply = (transcript: Transcript) => rewriteBy(transcript, [step], NO_COUNTS);
  return save(recording, recording.transcripts.map(apply));
}
