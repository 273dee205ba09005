/** Says on stderr what hardly fits into a model's context window: of each file the first of a kind, and how many more there are. */
import type { Terminal } from '../../io/terminal.js';
import { safe, shown } from '../../safe/text.js';
import { type ContextProblem, contextProblems, type Room } from '../../tokens/context.js';
import type { Transcript } from '../../transcript/types.js';

export interface ContextWarnings {
  /** `tokens`: how many the transcript has as one request, where they were counted. */
  add(transcript: Transcript, line: number, room: Room, tokens?: number): void;
  /** All of a file was seen. */
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
        const others = more === 0 ? '' : ` (and so in ${more} more of this file)`;
        terminal.stderr.write(safe`${shown(`ctx-trim: ${file}:${line}: warning: ${text}${others}`)}\n`);
      }
      found.clear();
    },
  };
}
