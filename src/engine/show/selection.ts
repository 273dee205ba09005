/** Which messages of a transcript are shown: those of the addresses that the filters let pass. */

import { TranscriptError } from '../../errors.js';
import { readable } from '../../measure/stats/differences.js';
import type { Opened } from '../../source/piece.js';
import { type Pattern, patternOf } from '../../text/pattern.js';
import { turns } from '../../transcript/turns.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { messagePositions } from '../check/positions.js';
import type { Address } from './address.js';

export interface Filters {
  /** Any of these; empty for all. */
  readonly roles: readonly string[];
  /** Whether a message with a call or result of this tool is shown; undefined for all messages. */
  readonly isTool: ((tool: string) => boolean) | undefined;
  readonly pattern: Pattern | undefined;
}

export function isEmpty({ roles, isTool, pattern }: Filters): boolean {
  return roles.length === 0 && isTool === undefined && pattern === undefined;
}

/** What an address names in a transcript: messages by index; undefined if it names another transcript. */
export type Chosen = (index: number) => boolean;

/** The messages that an address names in a transcript of a piece; undefined if it names nothing in it. */
export function chosenBy(address: Address, transcript: Transcript, piece: Opened): Chosen | undefined {
  const { line, column, agent, messages, turn } = address;
  if (agent !== undefined && transcript.agent !== agent) return undefined;
  const isTranscript = line === undefined || (column === undefined && line === piece.line);
  if (!isTranscript) return messages === undefined ? messageAt(address, transcript, piece) : undefined;
  const count = transcript.messages.length;
  if (messages !== undefined) {
    const { first, last } = messages;
    return first < count && first <= last ? (index) => index >= first && index <= last : undefined;
  }
  if (turn === undefined) return () => true;
  const found = turns(transcript.messages)[turn - 1];
  return found === undefined ? undefined : (index) => index >= found.start && index < found.end;
}

/** The last message that begins at a line and column or before; in an abandoned branch only one of that line. */
function messageAt({ line = 1, column }: Address, transcript: Transcript, piece: Opened): Chosen | undefined {
  const { messages, abandoned } = transcript;
  const positionOf = messagePositions(messages, piece.positions());
  const found = messages.findLastIndex((_, index) => {
    const start = positionOf(index);
    if (start === undefined || (abandoned !== undefined && start.line !== line)) return false;
    return start.line < line || (start.line === line && (column === undefined || start.column <= column));
  });
  return found < 0 ? undefined : (index) => index === found;
}

/** Whether the filters let a message pass. `tools`: those that it calls or has results of. */
export function passes(message: Message, tools: readonly string[], { roles, isTool, pattern }: Filters): boolean {
  if (message.role === 'meta') return roles.includes('meta');
  if (roles.length > 0 && !roles.includes(message.role)) return false;
  if (isTool !== undefined && !tools.some(isTool)) return false;
  return pattern === undefined || pattern.test(readable(message.parts));
}

/** What `--grep` looks for. Throws TranscriptError for what is no pattern. */
export function searchFor(source: string): Pattern {
  try {
    return patternOf(source, /\p{Lu}/u.test(source.replace(/\\./gs, '')) ? 'u' : 'iu');
  } catch (error) {
    throw new TranscriptError('usage', `--grep \`${source}\`: ${(error as Error).message}`);
  }
}

/** A line of a message that matches. */
export interface Match {
  /** Of the message. */
  readonly index: number;
  /** Of the sub-agent. */
  readonly agent: string | undefined;
  readonly text: string;
}

export function matchesIn({ messages, agent }: Transcript, pattern: Pattern): Match[] {
  return messages.flatMap((message, index) => {
    if (!passes(message, [], { roles: [], isTool: undefined, pattern })) return [];
    const lines = readable(message.parts).split('\n');
    const text = lines.find((line) => pattern.test(line)) ?? lines[0] ?? ''; // a match can span lines
    return [{ index, agent, text: aroundMatch(text, pattern).trim() }];
  });
}

/** So much of a line stands before its match. */
const BEFORE = 24;

function aroundMatch(text: string, pattern: Pattern): string {
  const start = (pattern.find(text)?.at ?? 0) - BEFORE;
  return start <= BEFORE ? text : `…${text.slice(start)}`;
}
