/** Watches what is not read of an input: content that no message holds, and lines that are no JSON. */
import { TranscriptError } from '../../errors.js';
import {
  type BadLines,
  badLinesText,
  type FileUnread,
  type Omissions,
  type Unread,
  type UnreadableInput,
  unreadText,
} from '../../omissions.js';
import type { Detection } from '../../source/detect/detection.js';
import type { Piece } from '../../source/piece.js';
import { addUnread, unreadIn } from '../../source/unread/unread.js';
import { shownName } from '../files/input.js';

/** Collects what the figures of a command are without. */
export interface OmissionsCollector extends Omissions {
  /** Whether lines that are no JSON are counted, or end the reading with an error. */
  readonly countsBadLines: boolean;
  /** The input is read a second time, so nothing is said again. */
  readonly isSilent: boolean;
  /** An input without one message that can be read is no error: rules say what is wrong with it. */
  readonly mayBeMute: boolean;
  add(unread: FileUnread | undefined, badLines: BadLines | undefined): void;
  failed(file: string, error: unknown): void;
}

export function collectOmissions({
  countsBadLines = true,
  isSilent = false,
  mayBeMute = false,
} = {}): OmissionsCollector {
  const unread: FileUnread[] = [];
  const badLines: BadLines[] = [];
  const unreadable: UnreadableInput[] = [];
  return {
    unread,
    badLines,
    unreadable,
    countsBadLines,
    isSilent,
    mayBeMute,
    add(rows, lines) {
      if (rows !== undefined) unread.push(rows);
      if (lines !== undefined) badLines.push(lines);
    },
    failed(file, error) {
      unreadable.push({ file: shownName(file), message: error instanceof Error ? error.message : String(error) });
    },
  };
}

type Warning = Extract<Piece, { type: 'warning' }>;

export interface Watch {
  /** Returns whether the warning is part of what `end` tells. */
  warning(piece: Warning): boolean;
  piece(piece: Extract<Piece, { type: 'opened' | 'passage' }>, detection: Detection): void;
  /** Whether other threads can read the rest: they give back what holds more than messages. */
  isSettled(): boolean;
  /**
   * What to say of the input. Throws TranscriptError if it holds texts, but not one message. `lines`: how many values
   * it has.
   */
  end(lines: number, detection: Detection): readonly string[];
}

/** Messages of an input that a rewrite searches for content which the format does not read; figures search all. */
const SEARCHED = 200;
/** The first bad lines of an input; `--verbose` names all. */
const BAD_LINES_SHOWN = 3;

/** For commands that write what they read: bad lines are copied. */
export function watchRewrite(
  file: string,
  isVerbose: boolean,
  fate = 'copied unchanged',
  missing?: OmissionsCollector['add'],
  isPart = false,
): Watch {
  const search = createSearch(file, { most: isPart ? 0 : SEARCHED, isPart });
  const all: Warning[] = [];
  return {
    warning: (piece) => piece.bad !== undefined && all.push(piece) > BAD_LINES_SHOWN,
    piece: search.piece,
    isSettled: search.isSettled,
    end(lines, detection) {
      const bad = all.length;
      const isFolded = bad > BAD_LINES_SHOWN && !isVerbose;
      const count = `${bad} bad ${bad === 1 ? 'line' : 'lines'}`;
      const unread = search.end(detection);
      missing?.(unread, badLinesOf(file, all, lines));
      return [
        ...(bad === 0 ? [] : [`${count} ${fate}${isFolded ? ' (--verbose names all)' : ''}`]),
        ...(unread === undefined ? [] : [unreadText(unread)]),
      ];
    },
  };
}

/** For commands that show figures: they are told once what is missing, here and where they are shown. */
export function watchFigures(file: string, omissions: OmissionsCollector, isPart = false): Watch {
  const search = createSearch(file, { most: Number.POSITIVE_INFINITY, mayBeMute: omissions.mayBeMute, isPart });
  const bad: Warning[] = [];
  return {
    warning: (piece) => piece.bad !== undefined && bad.push(piece) > 0,
    piece: search.piece,
    isSettled: search.isSettled,
    end(lines, detection) {
      const badLines = badLinesOf(file, bad, lines);
      rejectMostlyBad(badLines);
      const unread = search.end(detection);
      omissions.add(unread, badLines);
      if (omissions.isSilent) return [];
      return [
        ...(badLines === undefined ? [] : [badLinesText(badLines)]),
        ...(unread === undefined ? [] : [unreadText(unread)]),
      ];
    },
  };
}

/** Undefined if there are none. */
function badLinesOf(file: string, bad: readonly Warning[], lines: number): BadLines | undefined {
  const [first] = bad;
  if (first === undefined) return undefined;
  const { line, bad: reason = '' } = first;
  return { file, bad: bad.length, lines, line, reason };
}

/** That is no JSON Lines. */
function rejectMostlyBad(badLines: BadLines | undefined): void {
  if (badLines === undefined || badLines.bad * 2 <= badLines.lines) return;
  throw new TranscriptError('json', badLines.reason, { line: badLines.line, column: 1 });
}

interface Searching {
  readonly most: number;
  readonly mayBeMute?: boolean;
  /** A message was found in the lines before. */
  readonly isPart: boolean;
}

/** Searches `most` messages, and all rows without one. */
function createSearch(file: string, { most, mayBeMute = false, isPart }: Searching) {
  let unread: Unread | undefined;
  let known: Unread | undefined; // rows that the format passes over, as long as there is no message
  let isSpoken = isPart;
  let hasPieces = false; // of messages whose speakers stand in other files
  let searched = 0;
  const found = ({ format }: Detection): FileUnread | undefined => {
    const all = isSpoken ? unread : (unread ?? known);
    if (all === undefined) return undefined;
    const rows = { ...all, file, format: format.id, isPart: searched > most };
    const mayBeSilent = isSpoken || mayBeMute || (hasPieces && unread === undefined);
    if (!mayBeSilent) throw new TranscriptError('format', `no message can be read: ${unreadText(rows)}`);
    return rows;
  };
  return {
    piece(piece: Extract<Piece, { type: 'opened' | 'passage' }>, detection: Detection) {
      if (piece.type === 'opened' && piece.tabled !== undefined && isSpoken && searched >= most) {
        searched += piece.tabled.table.messages.length; // each of them is a message
        return;
      }
      const { format } = detection;
      unread = addUnread(unread, unreadIn(piece, format, Math.max(0, most - searched)));
      if (piece.type !== 'opened') return;
      if (piece.tabled?.log !== undefined) {
        searched += piece.tabled.log.length;
        hasPieces ||= piece.tabled.traits().holdsOnlyReplies === true;
        isSpoken = true;
        return;
      }
      for (const { messages, traits } of piece.transcripts) {
        searched += messages.length;
        hasPieces ||= traits.holdsOnlyReplies === true;
        isSpoken ||= messages.some(({ role }) => role !== 'meta');
      }
      if (isSpoken) return;
      known = addUnread(known, unreadIn(piece, { ...format, score: () => 0 }));
      if (piece.roots === undefined) found(detection); // a log has no other piece, so no figure of it may be shown
    },
    isSettled: () => isSpoken && (searched >= most || most === Number.POSITIVE_INFINITY),
    end: found,
  };
}
