/** What becomes of a text: what is read, counted, found by rules, mended, rewritten and saved, as a sum. */
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { convertSession, sessionText } from '../../src/conversion/session.js';
import { SESSION_TARGETS } from '../../src/conversion/session-targets.js';
import { redact } from '../../src/engine/redact/redact.js';
import { isTranscriptError } from '../../src/errors.js';
import { formatNamed, formats } from '../../src/formats/index.js';
import { EDITS, SILENCE } from '../../src/plugin/edits.js';
import { providerOf, providers } from '../../src/rules/providers.js';
import { mapMessages } from '../../src/transcript/edit.js';
import type { Message } from '../../src/transcript/types.js';
import { beginning } from './beginning.js';
import { conversionText } from './conversion-text.js';
import { examine } from './examined.js';
import { factsOf, plain, sum } from './facts.js';
import { isJson } from './is-json.js';
import { type OpenedText, openText } from './opened.js';
import { recordedStats } from './recorded-stats.js';
import { mapText, rewriteText } from './rewrite-text.js';

const STEPS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['filter', { maxToolCalls: 1 }],
  ['patch', {}],
  ['truncate', { maxLength: 8 }],
  ['clear', { trigger: 0, keep: 0, clearInputs: true }],
  ['dedupe', { everything: true }],
  ['strip', {}],
  ['strip', { keepText: true, keepToolNames: true }],
  ['filter', { maxToolCalls: 0, dropUser: true, marker: true }],
  ['inject', { user: 'Go on.' }],
  ['stale', { reads: true, edits: true }],
  ['retries', { drop: true }],
  ['prune', { reasoning: true, images: true, empty: true, records: true }],
  ['fit', { maxTokens: 60, unit: 'auto' }],
  ['strip-noise', {}],
  ['filter', { maxToolCalls: 1, unit: 'round', scope: 'history', everything: true }],
];
const TARGETS = [...formats.filter(({ load }) => load().encode !== undefined).map(({ id }) => id), 'mistral', 'cohere'];
const CHANGES = Object.values({ ...EDITS, ...SILENCE });

/** `turn` chooses the step, the edit and the provider. */
export function toldOfText(text: string, format: string, turn: number): string {
  return sum(
    JSON.stringify(
      refusedOr(() => allOf(text, format, turn)),
      plain,
    ),
  );
}

function allOf(text: string, format: string, turn: number): unknown {
  const opened = openText(text);
  const { detection, transcripts } = opened;
  const [step, options] = STEPS[turn % STEPS.length]!;
  const provider = providerOf(format, transcripts[0]?.model) ?? providers[turn % providers.length]!;
  const edit = CHANGES[turn % CHANGES.length]!;
  const edited = (message: Message) => (message.role === 'meta' ? message : edit(message));
  return [
    detection.format.id,
    transcripts.map(factsOf),
    refusedOr(() => recordedStats(text)),
    refusedOr(() => redact(text)),
    refusedOr(() => converted(opened, turn)),
    refusedOr(() => judged(text, provider.id, turn % 2 === 0, detection.format.id)),
    refusedOr(() => parsable(rewriteText(text, step, options), text)),
    refusedOr(() =>
      parsable(
        mapText(text, (one) => mapMessages(one, edited)),
        text,
      ),
    ),
  ];
}

/** As messages of a format, and as the session of an agent. */
function converted({ pieces, transcripts: [first] }: OpenedText, turn: number): unknown {
  if (first === undefined) return 'nothing';
  const source = formatNamed(first.format);
  const conversion = convert(first, source, targetNamed(TARGETS[turn % TARGETS.length]!), pieces[0]!.record);
  const { findings, repairs, faults } = conversion;
  const session = () => {
    const { document, findings } = convertSession(
      first,
      source,
      SESSION_TARGETS[turn % SESSION_TARGETS.length]!,
      beginning,
    );
    return [sessionText(document), findings];
  };
  return [conversionText(conversion, true), findings, repairs, faults, refusedOr(session)];
}

/** What is written of JSON, or of lines of it, is that again, by the judgment of Node. */
function parsable(written: string, text: string): string {
  const isLines = (lines: string) => lines.split('\n').every((line) => !line.startsWith('{') || isJson(line));
  const isBroken = (isJson(text) && !isJson(written)) || (isLines(text) && !isLines(written));
  if (isBroken) throw new Error(`written as no JSON: ${written}`);
  return written;
}

function judged(text: string, provider: string, asRequest: boolean, from: string): unknown {
  const { findings, mended } = examine(text, provider, { asRequest, from });
  return [findings.map(({ rule, text: said }) => [rule.id, said]), refusedOr(() => parsable(mended(), text))];
}

/** What is refused says why; anything else is an error of ours. */
function refusedOr<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    return `refused: ${error.message}`;
  }
}
