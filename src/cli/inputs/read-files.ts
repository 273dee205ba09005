/** Records which inputs were read, and which could not be read, for reports. */
import { isTranscriptError, type TranscriptError } from '../../errors.js';
import type { FindingsReport, Unreadable } from '../../findings.js';
import { type Input, shownName } from '../files/input.js';
import type { Terminal } from '../terminal/terminal.js';
import { portable } from './reading.js';

export interface Scope {
  /** Called after an input was read to its end. */
  finished(input: Input): void;
  failed(name: string, error: unknown): void;
  read(): Pick<FindingsReport, 'files' | 'unreadable'>;
}

export function createScope({ cwd }: Pick<Terminal, 'cwd'>): Scope {
  const files = new Set<string>();
  const unreadable: Unreadable[] = [];
  return {
    finished: ({ name }) => void files.add(shownName(name)),
    failed(name, error) {
      const { message, place } = error as TranscriptError;
      const file = shownName(name);
      unreadable.push({
        file,
        path: file === '' ? '' : portable(file, cwd),
        line: isTranscriptError(error) ? place.line : undefined,
        column: place?.column,
        message,
      });
    },
    read: () => ({ files: [...files].map((file) => ({ file, path: portable(file, cwd) })), unreadable }),
  };
}
