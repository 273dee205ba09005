/** `convert`: transcripts in another format, with what was lost and what was fixed for the provider. */
import {
  convert as convertTranscript,
  type Fault,
  isConverted,
  type Repair,
  targetNamed,
} from '../../conversion/convert.js';
import type { Loss } from '../../conversion/findings.js';
import { formatNamed } from '../../formats/index.js';
import { plainOf } from '../../json/plain-value.js';
import { OPENING, rejectWrongOptions, wrong } from '../../options/arguments.js';
import type { DetectOptions } from '../../source/detect/detection.js';
import { type Input, transcriptsIn } from '../input.js';

export interface Converted {
  /** A list of messages, or an object around it, in the target format. */
  readonly value: unknown;
  /** What the target format has no place for. */
  readonly lost: readonly Loss[];
  /** What was fixed so that the provider accepts it, by rule. */
  readonly repairs: readonly Repair[];
  /** What the provider still rejects, by rule. */
  readonly faults: readonly Fault[];
}

/** Each transcript in the format or for the provider `to`. Throws TranscriptError for a target that does not exist. */
export function convert(input: Input, to: string, options: DetectOptions = {}): Converted[] {
  if (typeof to !== 'string') throw wrong('to', to, 'the id of a format or a provider');
  rejectWrongOptions(options, OPENING);
  const target = targetNamed(to);
  const all = transcriptsIn(input, options).filter(({ transcript }) => isConverted(transcript));
  return all.map(({ transcript, piece }) => {
    const source = formatNamed(transcript.format);
    const conversion = convertTranscript(transcript, source, target, piece.record);
    return {
      value: plainOf(conversion.json),
      lost: conversion.findings,
      repairs: conversion.repairs,
      faults: conversion.faults,
    };
  });
}
