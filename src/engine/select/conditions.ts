/** What `select` asks of each record, as data. A new condition is an entry here, and its option. */
import type { JsonNode } from '../../json/node.js';
import { globOf } from '../../text/glob.js';
import type { Transcript } from '../../transcript/types.js';
import type { NearFile } from './near-store.js';
import type { ConditionValues } from './options.js';
import {
  callsIn,
  type DataRecord,
  hasFailure,
  messagesIn,
  modelsIn,
  rootsOf,
  toolsIn,
  transcriptsOf,
} from './record.js';
import { whereOf } from './where.js';

/** What some conditions need, loaded only if one asks for it. */
export interface Means {
  /** The tokens of a transcript as one request. */
  readonly tokensOf?: (transcript: Transcript) => number;
  /** Whether check finds no error in a record. */
  readonly isValid?: (record: DataRecord) => boolean;
  /** What is known of texts, for near duplicates. */
  readonly nearFile?: NearFile | undefined;
}

/** Whether a record stays. */
export type Test = (record: DataRecord) => boolean;

interface Condition<Value> {
  readonly needs?: keyof Means;
  /** Throws TranscriptError for a value that makes no sense. */
  test(value: Value, means: Means): Test;
}

type Given<Value> = Exclude<Value, undefined>;
type Conditions = { readonly [Key in keyof ConditionValues]: Condition<Given<ConditionValues[Key]>> };

/** In the order in which they are asked, the cheap ones first: the first that a record fails drops it. */
export const CONDITIONS: Conditions = {
  formatIs: { test: (globs) => named(globs, ({ format }) => [format]) },
  minMessages: { test: (least) => (record) => messagesIn(record) >= least },
  maxMessages: { test: (most) => (record) => messagesIn(record) <= most },
  minCalls: { test: (least) => (record) => callsIn(record) >= least },
  maxCalls: { test: (most) => (record) => callsIn(record) <= most },
  model: { test: (globs) => named(globs, modelsIn) },
  tool: { test: (globs) => named(globs, toolsIn) },
  where: { test: (texts) => allOf(texts.map(whereOf)) },
  hasError: { test: () => hasFailure },
  minTokens: {
    needs: 'tokensOf',
    test: (least, means) => (record) => mostTokens(record) >= least && tokensIn(record, means) >= least,
  },
  maxTokens: {
    needs: 'tokensOf',
    test: (most, means) => (record) => mostTokens(record) <= most || tokensIn(record, means) <= most,
  },
  valid: { needs: 'isValid', test: (_, { isValid }) => isValid! },
  invalid: {
    needs: 'isValid',
    test:
      (_, { isValid }) =>
      (record) =>
        !isValid!(record),
  },
};

/** The conditions that are given. */
export function givenConditions(values: ConditionValues): (keyof ConditionValues)[] {
  const keys = Object.keys(CONDITIONS) as (keyof ConditionValues)[];
  return keys.filter((key) => {
    const value = values[key];
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  });
}

/** The tests of the conditions that are given. */
export function testsOf(
  values: ConditionValues,
  means: Means,
): { readonly by: keyof ConditionValues; readonly test: Test }[] {
  return givenConditions(values).map((by) => {
    const { test } = CONDITIONS[by] as Condition<unknown>;
    return { by, test: test(values[by], means) };
  });
}

function named(globs: readonly string[], namesIn: (record: DataRecord) => readonly string[]): Test {
  const patterns = globs.map(globOf);
  return (record) => namesIn(record).some((name) => patterns.some((pattern) => pattern.test(name)));
}

function allOf(tests: readonly ((roots: readonly JsonNode[]) => boolean)[]): Test {
  return (record) => {
    const roots = rootsOf(record);
    return tests.every((test) => test(roots));
  };
}

function tokensIn(record: DataRecord, { tokensOf }: Means): number {
  return transcriptsOf(record).reduce((sum, transcript) => sum + tokensOf!(transcript), 0);
}

/** A bound that needs no count. */
function mostTokens({ piece }: DataRecord): number {
  return piece?.tabled === undefined ? Number.POSITIVE_INFINITY : piece.tabled.table.mostTokens();
}
