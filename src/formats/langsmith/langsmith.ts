/**
 * LangSmith runs: batches as its SDKs send them (`post` when a run begins, `patch` when it ends), and rows of exported
 * runs. The messages of a run are in `inputs` and `outputs`, in the format of the library that was traced. A run whose
 * messages no other run of its trace repeats is a transcript; edits of it apply to the whole trace.
 * https://github.com/langchain-ai/langsmith-sdk/blob/main/python/langsmith/schemas.py
 */
import { type Json, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { Recorded } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import type { EditableList } from '../shared/conversation.js';
import { describeList, embeddedFormat } from '../shared/embedded-messages.js';
import { type ContentEdits, type KnownValue, mergeEdits, syncCopies } from '../shared/sync-copies.js';
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
} from '../shared/traces.js';
import { modelIn, type Run, runsIn } from './langsmith-runs.js';

export default defineFormat({
  ...embeddedFormat,
  id: 'langsmith',
  explainEmpty: (record) =>
    runsIn([record]).length === 0 ? undefined : 'no run has messages in its `inputs` or `outputs`',
  bundle: {
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
      const known = knownValues(runs, outcomes);
      return records.map((record) => syncCopies(record, NO_EDITS, known));
    },
    describe: describeList,
  },
});

const NO_EDITS = mergeEdits([]);

interface Conversation {
  /** The run that holds the whole conversation. */
  readonly leader: Run;
  /** The runs that hold parts of it. */
  readonly followers: readonly Run[];
  readonly answered: RequestsByReply;
  /** Of the first conversation of a trace: its requests whose replies are in none. */
  readonly others: readonly Recorded[];
}

function conversationsIn(runs: readonly Run[]): Conversation[] {
  const byTrace = new Map<string, Run[]>();
  for (const run of runs) listIn(byTrace, run.trace).push(run);
  return [...byTrace.values()].flatMap((own) => {
    const runOf = new Map<Exchange<EditableList>, Run>(own.map((run) => [run.exchange, run]));
    const all = [...runOf.keys()];
    const led = conversations(all.filter(({ input, output }) => input !== undefined || output !== undefined));
    const found = all.flatMap((exchange) => {
      const followers = led.get(exchange)?.map((follower) => runOf.get(follower)!);
      return followers === undefined
        ? []
        : [{ leader: runOf.get(exchange)!, followers, answered: requestsByReply(exchange, all) }];
    });
    const others = otherRequests(
      all,
      found.map(({ answered }) => answered),
    );
    return found.map((conversation, index) => ({ ...conversation, others: index === 0 ? others : [] }));
  });
}

function aboutOf({ trace, input, nodes }: Run) {
  const extra = nodes.map((node) => node.get('extra')).find((each) => each !== undefined);
  const tools = [input?.get('tools'), extra?.get('invocation_params')?.get('tools')].find((list) => list?.isArray);
  const model = modelIn(extra) ?? input?.get('model')?.string;
  return { id: trace || undefined, ...(model === undefined ? {} : { model }), ...(tools && { tools }) };
}

type Outcome = Conversation & ReturnType<typeof exchangeEdits>;

/** The values of runs after an edit: the side of a leader that changed, and each run with its own edits. */
function knownValues(runs: readonly Run[], outcomes: readonly Outcome[]): KnownValue {
  const byTrace = new Map<string, ContentEdits[]>();
  for (const { leader, edits } of outcomes) listIn(byTrace, leader.trace).push(edits);
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
      const edits = ofRun.get(run) ?? mergeEdits(byTrace.get(run.trace) ?? []);
      const own = known(node);
      const isChanged = run.output !== undefined && syncCopies(run.output, edits, own) !== run.output;
      return syncCopies(node, edits, (value) =>
        isChanged && value.is(node.get('events')) ? withoutTokens(value) : own(value),
      );
    };
  return known(undefined);
}

/** The pieces of a streamed reply, which repeat a text that was edited. */
function withoutTokens(events: JsonNode): Json {
  return patchEach(events, (event) => (event.get('name')?.string === 'new_token' ? undefined : event));
}
