import type { Transcript } from '../../transcript/types.js';
import type { Counts } from '../../transforms/transform.js';
import type { Input } from '../files/input.js';
import type { OmissionsCollector } from '../inputs/omissions.js';

/** Observes a rewrite, for the diff, the summary and `--verbose`. */
export interface Observer {
  /** What the diff is without. */
  readonly omissions: OmissionsCollector;
  /** Counts tokens the way this transcript's model does. */
  countsOf(transcript: Transcript | { readonly model?: string | undefined }): Counts;
  /** Tokens of the next request; undefined if no tokens are counted. */
  nextTokens(transcript: Transcript): number | undefined;
  changed(input: Input, line: number, before: readonly Transcript[], after: readonly Transcript[]): void;
  /** Called after the last transcript of an input. */
  finished(input: Input): void;
  /** In a worker thread: what it told of the transcripts since it was last asked, for the observer of the main one. */
  handOver?(): unknown;
  takeOver?(input: Input, told: unknown): void;
  /** Called after the last input. */
  done(): void;
}
