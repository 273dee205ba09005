/** Decides which records of a dataset stay. */
import { type Means, testsOf } from './conditions.js';
import { createDigests, DigestSet, type Hash } from './digests.js';
import { Lottery, type Split, sampleOf, splitAt, splitsOf } from './lots.js';
import { createNearIndex } from './near.js';
import type { ConditionValues } from './options.js';
import { type DataRecord, textsIn } from './record.js';
import { valuesAt } from './where.js';

export interface SelectValues extends ConditionValues {
  readonly unique?: boolean | undefined;
  readonly uniqueBy?: string | undefined;
  readonly near?: number | undefined;
  readonly sample?: string | undefined;
  readonly seed: number;
  readonly split?: string | undefined;
  readonly splitBy?: string | undefined;
}

/** What can drop a record. */
export type Reason = keyof ConditionValues | 'unique' | 'uniqueBy' | 'near' | 'sample';

export interface Selection {
  /** Why a record is dropped; undefined if it stays. Ask once for each record, in order. */
  reasonFor(record: DataRecord): Reason | undefined;
  /** The split of a record that stays; undefined without splits. */
  splitFor(record: DataRecord): string | undefined;
  readonly splits: readonly Split[];
  /**
   * A sample of so many records needs to see all of them first: then these are the numbers, in order, of those of all
   * records asked for that stay in the end. Undefined where `reasonFor` has the last word.
   */
  winners(): readonly number[] | undefined;
  readonly needsAll: boolean;
}

/** Throws TranscriptError for an option that makes no sense. */
export function createSelection(values: SelectValues, means: Means, hash: Hash): Selection {
  const digests = createDigests(hash);
  const stages = [...testsOf(values, means), ...distinctTests(values, digests, means)];
  const sample = values.sample === undefined ? undefined : sampleOf(values.sample);
  const shareOf = (record: DataRecord) => digests.share(digests.of(record), values.seed, 'sample');
  if (sample !== undefined && 'share' in sample)
    stages.push({ by: 'sample', test: (record) => shareOf(record) < sample.share });
  const lottery = sample !== undefined && 'count' in sample ? new Lottery(sample.count) : undefined;
  const splits = values.split === undefined ? [] : splitsOf(values.split);
  const splitBy = values.splitBy === undefined ? undefined : valuesAt(values.splitBy, '--split-by');
  let order = -1;
  return {
    reasonFor(record) {
      order++;
      const reason = stages.find(({ test }) => !test(record))?.by;
      if (reason === undefined) lottery?.add(shareOf(record), order);
      return reason;
    },
    splitFor: (record) =>
      splits.length === 0
        ? undefined
        : splitAt(splits, digests.share(digests.of(record, splitBy), values.seed, 'split')),
    splits,
    winners: () => lottery?.winners(),
    needsAll: lottery !== undefined,
  };
}

interface Stage {
  readonly by: Reason;
  readonly test: (record: DataRecord) => boolean;
}

/** Of records that are the same, or much alike, the first stays. */
function distinctTests(
  { unique, uniqueBy, near }: SelectValues,
  digests: ReturnType<typeof createDigests>,
  { nearFile }: Means,
): Stage[] {
  const stages: Stage[] = [];
  if (unique === true) {
    const seen = new DigestSet();
    stages.push({ by: 'unique', test: (record) => seen.add(digests.of(record)) });
  }
  if (uniqueBy !== undefined) {
    const [seen, at] = [new DigestSet(), valuesAt(uniqueBy, '--unique-by')];
    stages.push({ by: 'uniqueBy', test: (record) => seen.add(digests.of(record, at)) });
  }
  if (near !== undefined) {
    const index = createNearIndex(near, nearFile!);
    stages.push({ by: 'near', test: (record) => index.add(textsIn(record)) });
  }
  return stages;
}
