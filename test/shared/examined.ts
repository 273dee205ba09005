/** A text with rules of a provider over it, and mended by them. */

import type { Safety } from '../../src/findings.js';
import { formatNamed } from '../../src/formats/index.js';
import type { JsonNode } from '../../src/json/node.js';
import { allRules } from '../../src/rules/index.js';
import { receiverOf } from '../../src/rules/own-provider.js';
import { judgeOf, providerNamed } from '../../src/rules/providers.js';
import type { Rule } from '../../src/rules/rule.js';
import { applyFixes, type RuleFinding, type RuleOptions, rulesFor, runRules } from '../../src/rules/run-rules.js';
import type { DetectOptions } from '../../src/source/detect/detection.js';
import type { Opened } from '../../src/source/piece.js';
import { open, type Recording, save } from '../../src/source/recording.js';
import type { Transcript } from '../../src/transcript/types.js';

const rules = allRules();

export const ALL: ReadonlySet<Safety> = new Set(['safe', 'lossy', 'synthetic']);

export interface ExamineOptions {
  readonly asRequest?: boolean;
  /** The format of the text, where it is not the provider's own. */
  readonly from?: string;
  /** Only these rules; of them those that the provider has. */
  readonly only?: (rule: Rule) => boolean;
  readonly contextUse?: (
    transcript: Transcript,
    record: JsonNode | undefined,
  ) => { readonly tokens: number; readonly window: number | undefined };
  /** What a transcript is taken for before it is looked at. */
  readonly prepare?: (transcript: Transcript, record: JsonNode | undefined) => Transcript;
}

export interface Examined {
  readonly findings: readonly RuleFinding[];
  /** The ids of the rules that found something, in the order of the findings. */
  readonly ids: readonly string[];
  /** The text with everything mended whose fix is of one of these kinds. */
  mended(allowed?: ReadonlySet<Safety>): string;
  /** What the rules find in the transcripts once all is mended. */
  left(): readonly RuleFinding[];
}

export function examine(
  text: string,
  providerId: string,
  {
    asRequest = false,
    from,
    only = () => true,
    contextUse = ({ messages }) => ({ tokens: messages.length, window: undefined }),
    prepare = (transcript) => transcript,
  }: ExamineOptions = {},
): Examined {
  const named = providerNamed(providerId)!;
  const recording = recordingOf(text, from ?? named.format, asRequest ? receiverOf(providerId, true) : undefined);
  const format = formatNamed(recording.format);
  const pieces = recording.pieces.filter((piece) => 'type' in piece);
  const provider = judgeOf(named, pieces[0]?.transcripts[0]?.model);
  const chosen = rulesFor(rules, provider, asRequest).filter(only);
  const optionsOf = ({ record }: Opened): RuleOptions => ({
    provider,
    asRequest,
    format,
    record,
    contextUse: (transcript) => contextUse(transcript, record),
  });
  const mendedBy = (piece: Opened, allowed: ReadonlySet<Safety>) =>
    piece.transcripts.map((transcript) => applyFixes(transcript, chosen, allowed, optionsOf(piece)));
  let found: readonly RuleFinding[] | undefined;
  const findings = () => {
    found ??= pieces.flatMap((piece) =>
      piece.transcripts.flatMap((transcript) => runRules(prepare(transcript, piece.record), chosen, optionsOf(piece))),
    );
    return found;
  };
  const mended = (allowed = ALL) =>
    save(
      recording,
      pieces.flatMap((piece) => mendedBy(piece, allowed)),
    ).toString();
  const left = () =>
    pieces.flatMap((piece) =>
      mendedBy(piece, ALL).flatMap((transcript) => runRules(transcript, chosen, optionsOf(piece))),
    );
  return {
    // rules run only for those who ask
    get findings() {
      return findings();
    },
    get ids() {
      return findings().map(({ rule }) => rule.id);
    },
    mended,
    left,
  };
}

/** Opened once for all providers whose rules look at it. */
function recordingOf(text: string, from: string, receiver: DetectOptions['receiver']): Recording {
  if (last?.text !== text || last.from !== from) last = { text, from, recording: open(text, { from, receiver }) };
  return last.recording;
}

let last: { readonly text: string; readonly from: string; readonly recording: Recording } | undefined;

export interface Checked {
  /** `rule: sentence`, for each finding. */
  readonly findings: readonly string[];
  /** The history with everything mended, as a value. */
  readonly mended: unknown;
  /** What is found in that. */
  readonly left: readonly string[];
}

/** A history as those rules of a provider see it whose ids begin with `only`. */
export function checked(history: unknown, providerId: string, only: string, options: ExamineOptions = {}): Checked {
  const { findings, mended, left } = examine(JSON.stringify(history), providerId, {
    ...options,
    only: ({ id }) => id.startsWith(only),
  });
  const told = (found: readonly RuleFinding[]) => found.map(({ rule, text }) => `${rule.id}: ${text}`);
  return { findings: told(findings), mended: JSON.parse(mended()), left: told(left()) };
}
