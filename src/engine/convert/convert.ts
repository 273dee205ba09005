/** `convert`: transcripts in another format, with what was lost and what was fixed for the provider. */
import {
  convert as convertTranscript,
  type Fault,
  isConverted,
  type Repair,
  targetNamed,
} from '../../conversion/convert.js';
import type { Loss } from '../../conversion/findings.js';
import { convertSession } from '../../conversion/session.js';
import { sessionTargetNamed } from '../../conversion/session-targets.js';
import { formatNamed } from '../../formats/index.js';
import type { SessionTarget } from '../../formats/session.js';
import type { Json } from '../../json/edit.js';
import { plainOf } from '../../json/plain-value.js';
import { reparsed } from '../../json/print.js';
import { OPENING, rejectWrongOptions, wrong } from '../../options/arguments.js';
import type { DetectOptions } from '../../source/detect/detection.js';
import type { Transcript } from '../../transcript/types.js';
import { INPUT_NAME, type Input, transcriptsIn } from '../input.js';

export interface ConvertOptions extends DetectOptions {
  /** The folder in which the agent of a new session works, where the input names none. `/` by default. */
  readonly project?: string | undefined;
}

export interface Converted {
  /**
   * A list of messages, or an object around it, in the target format. Of the session of an agent: the list of the
   * values of its lines, or the document.
   */
  readonly value: unknown;
  /** What the target format has no place for. */
  readonly lost: readonly Loss[];
  /** What was fixed so that the provider accepts it, by rule. */
  readonly repairs: readonly Repair[];
  /** What the provider still rejects, by rule. */
  readonly faults: readonly Fault[];
}

/**
 * Each transcript in the format, as the session of the agent, or for the provider `to`. Throws TranscriptError for a
 * target that does not exist.
 */
export function convert(input: Input, to: string, options: ConvertOptions = {}): Converted[] {
  if (typeof to !== 'string') throw wrong('to', to, 'the id of a format or a provider');
  rejectWrongOptions(options, { ...OPENING, project: 'text' });
  const { project = '/', ...opening } = options;
  const session = sessionTargetNamed(to);
  const target = session === undefined ? targetNamed(to) : undefined;
  const all = transcriptsIn(input, opening).filter(({ transcript }) => isConverted(transcript));
  return all.flatMap(({ transcript, piece }) => {
    if (session !== undefined) return sessionOf(transcript, session, project);
    const source = formatNamed(transcript.format);
    const conversion = convertTranscript(transcript, source, target!, piece.record);
    return [
      {
        value: plainOf(conversion.json),
        lost: conversion.findings,
        repairs: conversion.repairs,
        faults: conversion.faults,
      },
    ];
  });
}

/** Sub-agents are named in the session that called them, and are none of their own. */
function sessionOf(transcript: Transcript, target: SessionTarget, project: string): Converted[] {
  if (transcript.agent !== undefined && target.tools !== undefined) return [];
  const seed = `${target.format.id} ${transcript.id ?? INPUT_NAME}`;
  const beginning = { seed, otherwise: { time: 0, project } };
  const { document, findings } = convertSession(transcript, formatNamed(transcript.format), target, beginning);
  const value = 'lines' in document ? document.lines.map(plainValue) : plainValue(document.document);
  return [{ value, lost: findings, repairs: [], faults: [] }];
}

const plainValue = (json: Json) => plainOf(reparsed(json));
