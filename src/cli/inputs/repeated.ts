/** Warnings about many places of one input: the first few of a kind, and then how many more there are. */

import { plural } from '../../text/words.js';
import type { Terminal } from '../terminal/terminal.js';
import { say } from './reading.js';

export interface Warnings {
  /** Texts that differ only in numbers are of one kind. */
  warn(line: number, text: string): void;
  /** The input was read to its end. */
  close(): void;
}

const SHOWN = 3;

/** `all`: prints each of them. */
export function createWarnings(name: string, all: boolean, terminal: Terminal): Warnings {
  const counts = new Map<string, { readonly text: string; count: number; last: number }>();
  return {
    warn(line, text) {
      const kind = text.replace(/\d[\d,.]*/g, '#');
      const known = counts.get(kind) ?? { text, count: 0, last: line };
      known.count++;
      known.last = line;
      counts.set(kind, known);
      if (all || known.count <= SHOWN) say(terminal, `ctx-trim: warning: ${name}:${line}: ${text}`);
    },
    close() {
      for (const { text, count, last } of counts.values()) {
        const more = count - SHOWN;
        const [what = ''] = text.split(':');
        const which = `${plural(more, 'more warning')} of this kind (${what}), up to line ${last}`;
        if (!all && more > 0) say(terminal, `ctx-trim: ${name}: ${which}; --verbose prints all`);
      }
    },
  };
}
