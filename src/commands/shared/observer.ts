import type { Input } from '../../io/input.js';
import type { Transcript } from '../../transcript/types.js';
import type { Counts } from '../../transforms/transform.js';

/** Looks on while transcripts are rewritten: for the diff, the summary, and `--verbose`. */
export interface Observer {
  /** Counts tokens the way this transcript's model does. */
  countsOf(transcript: Transcript): Counts;
  changed(input: Input, line: number, before: readonly Transcript[], after: readonly Transcript[]): void;
  /** All of an input was seen. */
  finished(input: Input): void;
  /** Everything was seen. */
  done(): void;
}
