/** What is known of a model: encoding, estimation factor and context window, each with its source. */

import type { Vocabulary } from './bpe/vocabularies.js';
import { type Encoding, type Measured, TOKENIZERS, type Tokenizer } from './tokenizers.js';
import { modelRow } from './windows.js';

export type { Encoding, Measured } from './tokenizers.js';

export interface ModelInfo {
  /** The row that was found, such as `gpt-4o`. */
  readonly prefix: string;
  /** The encoding to count with. */
  readonly encoding: Encoding;
  /** The model's own vocabulary, a package that can be installed. Where it is, the model is counted exactly. */
  readonly vocabulary?: Vocabulary;
  /** Whether the encoding is the model's own. If not, its tokens are about `count * factor`. */
  readonly exact: boolean;
  /** The model's tokens for one token of `encoding`; 1 where the count is exact. */
  readonly factor: number;
  /** The lowest and highest factor by kind of text (prose, code, languages, logs): the error of an estimate. */
  readonly range?: readonly [low: number, high: number];
  /** Whether the model's tokenizer is public. If so and it is not here, its license or its size is why. */
  readonly isPublished: boolean;
  /** How far counts with the factor were off recorded growths of prompts. */
  readonly measured?: Measured;
  /** Tokens that fit into one request, prompt and answer together. */
  readonly contextWindow: number;
  /** The source of encoding and factor, and the day it was read (YYYY-MM-DD). */
  readonly source: string;
  readonly date: string;
  /** The same for the context window. */
  readonly windowSource: string;
  readonly windowDate: string;
}

/** Undefined for a model that is not known; see windows.ts for how names are looked through. */
export function modelInfo(model: string): ModelInfo | undefined {
  const row = modelRow(model);
  if (row === undefined) return undefined;
  const { prefix, contextWindow, source: windowSource, date: windowDate } = row;
  const { encoding, vocabulary, isPublished, factor, range, measured, source, date }: Tokenizer =
    TOKENIZERS[row.tokenizer];
  return {
    prefix,
    encoding,
    vocabulary,
    exact: factor === undefined,
    isPublished: isPublished ?? factor === undefined,
    factor: factor ?? 1,
    range,
    measured,
    contextWindow,
    source,
    date,
    windowSource,
    windowDate,
  };
}

/** The package that holds a vocabulary. */
export function vocabularyPackage(vocabulary: Vocabulary): string {
  return `ctx-trim-vocab-${vocabulary.replaceAll('_', '-')}`;
}

/** A model and its context window in tokens, if known. */
export function roomOf(model: string | undefined) {
  return { model, window: model === undefined ? undefined : modelRow(model)?.contextWindow };
}
