/** Warns about transcripts that hardly fit into the context window: the first of each kind per file, and a count. */

import { safe, shown } from '../../safe/text.js';
import { type ContextProblem, contextProblems, type Room } from '../../tokens/context.js';
import type { Transcript } from '../../transcript/types.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ContextWarnings {
  /** `tokens`: the tokens of the transcript as one request, if they were counted. */
  add(transcript: Transcript, line: number, room: Room, tokens?: number): void;
  /** Reports the problems of a file. */
  finished(file: string): void;
}

export function createContextWarnings(terminal: Terminal): ContextWarnings {
  const found = new Map<ContextProblem['kind'], { readonly line: number; readonly text: string; more: number }>();
  return {
    add(transcript, line, room, tokens) {
      for (const { kind, text } of contextProblems(transcript, room, tokens)) {
        const known = found.get(kind);
        if (known === undefined) found.set(kind, { line, text, more: 0 });
        else known.more++;
      }
    },
    finished(file) {
      for (const { line, text, more } of found.values()) {
        const others = more === 0 ? '' : ` (and ${more} more in this file)`;
        terminal.stderr.write(safe`${shown(`ctx-trim: ${file}:${line}: warning: ${text}${others}`)}\n`);
      }
      found.clear();
    },
  };
}
