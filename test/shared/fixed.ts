/** A text as `check --fix` writes it, and what that says is left. */
import { fixPiece } from '../../src/engine/check/fix.js';
import { planOf } from '../../src/engine/check/plan.js';
import { createTranscriptRules } from '../../src/engine/check/transcript-rules.js';
import type { Safety } from '../../src/findings.js';
import type { Sink } from '../../src/json/print.js';
import type { RuleFinding } from '../../src/rules/run-rules.js';
import type { Opened, Piece } from '../../src/source/piece.js';
import type { Transcript } from '../../src/transcript/types.js';
import { piecesOf } from './opened.js';

export interface FixedText {
  readonly text: string;
  /** `rule: sentence`, before and after. */
  readonly before: readonly string[];
  readonly left: readonly string[];
}

export interface FixSettings {
  readonly provider?: string | undefined;
  readonly asRequest?: boolean;
  readonly allowed?: ReadonlySet<Safety>;
}

const ALL: ReadonlySet<Safety> = new Set(['safe', 'lossy', 'synthetic']);

export function fixedText(text: string, { provider, asRequest = false, allowed = ALL }: FixSettings): FixedText {
  const rules = createTranscriptRules(
    planOf({ selection: { provider, asRequest, disable: ['core/context-overflow'] }, settings: {} }),
    () => {
      throw new Error('nothing is counted');
    },
  );
  const foundIn = (piece: Opened, transcripts: readonly Transcript[]) =>
    transcripts.flatMap((transcript) => rules.run({ transcript, piece, file: '' }).found.map(said));
  const before: string[] = [];
  const left: string[] = [];
  const chunks: Buffer[] = [];
  const sink: Sink = {
    slice: (bytes, start, end) => void chunks.push(Buffer.from(bytes.subarray(start, end))),
    text: (part) => void chunks.push(Buffer.from(part)),
  };
  const pieces: readonly Piece[] = piecesOf(text);
  const detection = pieces.find((piece) => piece.type === 'detected')!.detection;
  for (const piece of pieces)
    if (piece.type === 'passage') sink.slice(piece.span.bytes, piece.span.start, piece.span.end);
    else if (piece.type === 'opened') {
      const fixed = fixPiece(piece, { rules, file: '', allowed, detection });
      before.push(...foundIn(piece, piece.transcripts));
      left.push(...foundIn(fixed.left.piece, fixed.left.transcripts));
      const last = fixed.rounds.at(-1)!;
      last.piece.save(sink, last.after);
    }
  return { text: Buffer.concat(chunks).toString(), before, left };
}

const said = ({ rule, text }: RuleFinding) => `${rule.id}: ${text}`;
