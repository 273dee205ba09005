/** What is said of estimated tokens: why they are, by which factor, and how far such estimates are off. */

import type { Counting } from '../measure/stats/counting.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { grouped } from '../text/words.js';
import { type Measured, modelInfo, vocabularyPackage } from '../tokens/models.js';

/** Models that a note names. */
const MOST_MODELS = 3;

/** Below the figures of several transcripts: of which models; undefined stands for one that is not recorded. */
export function estimatesNote(models: ReadonlySet<string | undefined>): SafeText {
  if (models.size === 0) return safe`~ estimated: no model is recorded, or its own tokenizer is not installed`;
  if (models.size === 1) return estimateNote([...models][0]);
  const named = [...models].filter((model) => model !== undefined).sort();
  const more = named.length > MOST_MODELS ? [safe`and ${named.length - MOST_MODELS} more`] : [];
  const list = joined([...named.slice(0, MOST_MODELS).map(shown), ...more], ', ');
  const unrecorded = models.has(undefined) ? safe`; some name no model` : safe``;
  return safe`~ estimated: no tokenizer here for ${list}${unrecorded}`;
}

/** Below the figures of one transcript. */
export function estimateNote(model: string | undefined): SafeText {
  if (model === undefined) return safe`~ estimated: no model is recorded`;
  const info = modelInfo(model);
  if (info?.vocabulary !== undefined)
    return safe`~ estimated: install ${shown(vocabularyPackage(info.vocabulary))} to count ${shown(model)} exactly`;
  return info?.isPublished === true
    ? safe`~ estimated: the public tokenizer of ${shown(model)} is not part of ctx-trim`
    : safe`~ estimated: no public tokenizer for ${shown(model)}`;
}

/** How a model is counted, for `--verbose`. */
export function countingText({ model, source, vocabulary, factor }: Counting): SafeText {
  const name = model === undefined ? safe`no model recorded` : shown(model);
  if (source === 'exact') return safe`${name}: counted with ${shown(vocabulary)}`;
  const measured = model === undefined ? undefined : modelInfo(model)?.measured;
  const error =
    measured === undefined ? safe`` : safe`; measured on ${grouped(measured.n)} pairs: ${errorText(measured)}`;
  return safe`${name}: estimated, ${shown(vocabulary)} × ${shown(factor.toFixed(2))}${error}`;
}

function errorText({ median, p90 }: Measured): SafeText {
  return safe`median error ${wholePercent(median)}, 90 % below ${wholePercent(p90)}`;
}

function wholePercent(share: number): SafeText {
  return safe`${Math.round(share * 100)} %`;
}
