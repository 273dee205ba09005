/** What programs use that hold a text or a list of messages: checking and converting, beside opening, running and saving. */
import {
  type Conversion,
  conversionText,
  convert as convertTranscript,
  type Finding as Loss,
  type Repair,
  targetNamed,
} from '../conversion/convert.js';
import type { Safety, Severity } from '../findings.js';
import { formatNamed } from '../formats/index.js';
import { rules } from '../rules/index.js';
import { ownProvider, providerIn } from '../rules/own-provider.js';
import { rulesFor, runRules, severityOf } from '../rules/run-rules.js';
import type { DetectOptions } from '../source/detect/detect.js';
import type { Opened } from '../source/open.js';
import { open } from '../source/recording.js';
import { OPENING, rejectWrongOptions, spelledMessages } from './arguments.js';

export interface CheckOptions extends DetectOptions {
  /** Whose rules to go by; by default the transcript's own provider's. */
  readonly provider?: string;
  /** The history is about to be sent: what only matters then counts too. */
  readonly asRequest?: boolean;
  /** Ids of rules to leave out. */
  readonly disable?: readonly string[];
  /** Tokens of a transcript and what its model can take, for `core/context-overflow`; without it, nothing overflows. */
  contextUse?(): { readonly tokens: number; readonly window: number | undefined };
}

export interface CheckFinding {
  readonly rule: string;
  /** `info`: worth to know, and no fault of what was sent. */
  readonly severity: Severity | 'info';
  readonly message: string;
  /** The literal error of the provider's API. */
  readonly error: string;
  /** The transcript and the message in it, by index. */
  readonly transcript: number;
  readonly index: number | undefined;
  readonly callId: string | undefined;
  readonly fix: Safety | undefined;
}

/** What a provider's API would refuse in a text (JSON or JSON Lines), or in a list of plain messages of any supported format. */
export function check(input: string | readonly object[], options: CheckOptions = {}): CheckFinding[] {
  rejectWrongOptions(options, {
    ...OPENING,
    provider: 'text',
    asRequest: 'flag',
    disable: 'texts',
    contextUse: 'function',
  });
  const named = providerIn(options.provider);
  const use = options.contextUse ?? (() => ({ tokens: 0, window: undefined }));
  return piecesOf(input, options).flatMap(({ piece, number }) =>
    piece.transcripts.flatMap((transcript, at) => {
      const provider = named ?? ownProvider(transcript);
      const chosen = rulesFor(rules, provider, options.asRequest === true).filter(
        ({ id }) => options.disable?.includes(id) !== true,
      );
      const found = runRules(transcript, chosen, {
        provider,
        asRequest: options.asRequest === true,
        format: formatNamed(transcript.format),
        record: piece.record,
        contextUse: use,
      });
      return found.map((finding): CheckFinding => {
        const { rule, message, callId, text, isFixable } = finding;
        return {
          rule: rule.id,
          severity: severityOf(finding),
          message: text,
          error: rule.error,
          transcript: number + at,
          index: message,
          callId,
          fix: isFixable ? rule.fix?.safety : undefined,
        };
      });
    }),
  );
}

export interface Converted {
  /** A bare list of messages, or an object around it, in the other format. */
  readonly value: unknown;
  /** What could not be carried over. */
  readonly lost: readonly Loss[];
  /** What was mended so that the provider takes it, by rule. */
  readonly repairs: readonly Repair[];
}

/** Each transcript in another format. Throws TranscriptError where nothing is written in that one. */
export function convert(input: string | readonly object[], to: string, options: DetectOptions = {}): Converted[] {
  rejectWrongOptions(options, OPENING);
  const target = targetNamed(to);
  const conversions = piecesOf(input, options).flatMap(({ piece }) =>
    piece.transcripts.map((transcript) =>
      convertTranscript(transcript, formatNamed(transcript.format), target, piece.record),
    ),
  );
  return conversions.map((conversion: Conversion) => ({
    value: JSON.parse(conversionText(conversion, true)),
    lost: conversion.findings,
    repairs: conversion.repairs,
  }));
}

/** The pieces of an input that hold transcripts, each with the number of its first. */
function piecesOf(
  input: string | readonly object[],
  options: DetectOptions,
): { readonly piece: Opened; readonly number: number }[] {
  const text = typeof input === 'string' ? input : spelledMessages(input);
  let number = 0;
  return open(text, options).pieces.flatMap((piece) => {
    if (!('type' in piece)) return [];
    number += piece.transcripts.length;
    return [{ piece, number: number - piece.transcripts.length }];
  });
}
