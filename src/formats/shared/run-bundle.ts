/**
 * Runs of a trace, each with what went in and what came out. A run whose messages no other run of its trace repeats is
 * a transcript; edits of it apply to the whole trace.
 */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { Recorded } from '../../transcript/types.js';
import type { Bundle } from '../format.js';
import type { EditableList } from './conversation.js';
import { describeList, type ListMetadata } from './embedded-messages.js';
import { type ContentEdits, type KnownValue, mergeEdits, syncCopies } from './sync-copies.js';
import {
  conversations,
  type Exchange,
  editedSides,
  exchangeEdits,
  nodeMap,
  otherRequests,
  type RequestsByReply,
  requestsByReply,
  transcriptList,
} from './traces.js';

export interface Run {
  readonly trace: string;
  /** The values that are about it, in order; the last that states something wins. */
  readonly nodes: readonly JsonNode[];
  readonly input: JsonNode | undefined;
  readonly output: JsonNode | undefined;
  readonly exchange: Exchange<EditableList>;
  /** The record around all runs of the trace, which may repeat what they hold. */
  readonly around?: JsonNode | undefined;
}

export interface RunReader<R extends Run> {
  /** Finds the same runs in the same order every time. */
  runsIn(records: readonly JsonNode[]): readonly R[];
  aboutOf(run: R): ListMetadata;
  /** What stands for a value of a run whose output was edited. */
  afterEdit?(value: JsonNode, node: JsonNode): Json | undefined;
}

export function runBundle<R extends Run>({ runsIn, aboutOf, afterEdit }: RunReader<R>): Bundle {
  return {
    open(records) {
      const found = conversationsIn(runsIn(records));
      return found.length === 0
        ? undefined
        : found.map(({ leader, answered, others }) =>
            transcriptList(leader.exchange, answered, { ...aboutOf(leader), others }),
          );
    },
    close(records, lists) {
      const runs = runsIn(records);
      const outcomes = conversationsIn(runs).map((conversation, index) => ({
        ...conversation,
        ...exchangeEdits(conversation.leader.exchange, lists[index]!),
      }));
      const known = knownValues(runs, outcomes, afterEdit);
      const editsAt = editsAround(outcomes);
      return records.map((record) => syncCopies(record, editsAt(record) ?? NO_EDITS, known));
    },
    describe: describeList,
  };
}

const NO_EDITS = mergeEdits([]);

interface Conversation<R> {
  /** The run that holds the whole conversation. */
  readonly leader: R;
  /** The runs that hold parts of it. */
  readonly followers: readonly R[];
  readonly answered: RequestsByReply;
  /** Of the first conversation of a trace: its requests whose replies are in none. */
  readonly others: readonly Recorded[];
}

function conversationsIn<R extends Run>(runs: readonly R[]): Conversation<R>[] {
  const byTrace = new Map<string, R[]>();
  for (const run of runs) listIn(byTrace, run.trace).push(run);
  return [...byTrace.values()].flatMap((own) => {
    const runOf = new Map<Exchange<EditableList>, R>(own.map((run) => [run.exchange, run]));
    const all = [...runOf.keys()];
    const led = conversations(all.filter(({ input, output }) => input !== undefined || output !== undefined));
    const requestsOf = requestsByReply(all);
    const found = all.flatMap((exchange) => {
      const followers = led.get(exchange)?.map((follower) => runOf.get(follower)!);
      return followers === undefined
        ? []
        : [{ leader: runOf.get(exchange)!, followers, answered: requestsOf(exchange) }];
    });
    const others = otherRequests(
      all,
      found.map(({ answered }) => answered),
    );
    return found.map((conversation, index) => ({ ...conversation, others: index === 0 ? others : [] }));
  });
}

type Outcome = Conversation<Run> & ReturnType<typeof exchangeEdits>;

/** The edits of all traces in a record. */
function editsAround(outcomes: readonly Outcome[]): (record: JsonNode) => ContentEdits | undefined {
  const edits = new Map<JsonNode, ContentEdits[]>();
  for (const { leader, edits: own } of outcomes)
    if (leader.around !== undefined) listIn(edits, leader.around).push(own);
  return nodeMap([...edits].map(([record, all]) => [record, mergeEdits(all)] as const));
}

/** The values of runs after an edit: the side of a leader that changed, and each run with its own edits. */
function knownValues(
  runs: readonly Run[],
  outcomes: readonly Outcome[],
  afterEdit: RunReader<Run>['afterEdit'],
): KnownValue {
  const byTrace = new Map<string, ContentEdits[]>();
  for (const { leader, edits } of outcomes) listIn(byTrace, leader.trace).push(edits);
  const merged = new Map<string, ContentEdits>();
  const editsOf = (trace: string) => {
    const edits = merged.get(trace) ?? mergeEdits(byTrace.get(trace) ?? []);
    merged.set(trace, edits);
    return edits;
  };
  const ofRun = new Map(
    outcomes.flatMap(({ leader, followers, edits }) => [leader, ...followers].map((run) => [run, edits] as const)),
  );
  const sideAt = editedSides(outcomes.map(({ leader, ...edited }) => ({ ...leader, edited })));
  const runAt = nodeMap(runs.flatMap((run) => run.nodes.map((node) => [node, run] as const)));
  const known =
    (inside: JsonNode | undefined): KnownValue =>
    (node) => {
      if (node === inside) return undefined;
      const side = sideAt(node);
      if (side !== undefined) return side;
      const run = runAt(node);
      if (run === undefined) return undefined;
      const edits = ofRun.get(run) ?? editsOf(run.trace);
      const own = known(node);
      const isChanged = run.output !== undefined && syncCopies(run.output, edits, own) !== run.output;
      return syncCopies(node, edits, (value) => (isChanged ? afterEdit?.(value, node) : undefined) ?? own(value));
    };
  return known(undefined);
}
