/** Applies a policy: the context of each request as an agent would have sent it that trims before each request. */
import { addAll } from '../../lists.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { applySteps, type Step } from '../../transforms/pipeline.js';
import type { Counts, CountTokens, Grow } from '../../transforms/transform.js';
import { growOf } from './growing.js';
import type { RequestSite } from './requests.js';
import { serverSide } from './server-side.js';
import { applyStages, createInterner, type Outputs, type Stage, sameStart, stagesOf } from './stages.js';

export interface Policy {
  readonly steps: readonly Step[];
  /**
   * `history`: the current run, from the last user message on, is not changed. `agent`: nor is it in a chat, where no
   * run so far has more than one round of calls; an agent's rounds are history. Steps on servers see all, and those
   * that change messages one by one do as soon as an agent sends them.
   */
  readonly scope: 'agent' | 'history' | 'all';
  /**
   * Whether each request continues from the trimmed context; otherwise the whole history is trimmed for each request.
   */
  readonly carries: boolean;
}

/** What a request sends, relative to the previous request: its first `same` messages, then `added`. */
export interface Context {
  readonly same: number;
  readonly added: readonly Message[];
}

/** What each request sends, in order. The same message is the same object in all of them. */
export function* contextsOf(
  transcript: Transcript,
  requests: readonly RequestSite[],
  policy: Policy,
  counts: Counts,
): Generator<Context, void, void> {
  const history = createHistory(transcript, requests, policy, counts);
  const context: Message[] = []; // what the last request sent
  const sentBefore = [0]; // how many messages the request sends of the history before each index
  let before: RequestSite | undefined;
  for (const [index, request] of requests.entries()) {
    const cut = history.cutOf(request);
    const isFirst = before === undefined || before.thread !== request.thread;
    let same = 0;
    if (isFirst || before === undefined || history.cutOf(before) !== cut) {
      const unchanged = isFirst ? 0 : history.extend(index);
      if (isFirst) {
        history.begin(index);
        context.length = 0;
      }
      const start = sentBefore[unchanged]!;
      const changed = history.kept.slice(unchanged);
      sentBefore.length = unchanged + 1;
      for (const { role } of changed) sentBefore.push(sentBefore.at(-1)! + (role === 'meta' ? 0 : 1));
      const next = withoutRecords([...changed, ...history.rest.slice(cut, request.message)]);
      same = start + sameStart(context, start, next);
      context.length = same;
      addAll(context, next.slice(same - start));
    } else {
      same = context.length;
      addAll(context, withoutRecords(history.rest.slice(before.message, request.message)));
    }
    yield { same, added: context.slice(same) };
    before = request;
  }
}

/** The history of requests as the policy leaves it, records included. */
interface History {
  /** Where the history of a request ends. */
  cutOf(request: RequestSite): number;
  /** What is sent of each message of the recording that is not history yet. */
  readonly rest: readonly Message[];
  /** The history of the last request. */
  readonly kept: readonly Message[];
  /** Begins a thread with its first request. */
  begin(index: number): void;
  /** Goes on to the next request. Returns how many messages at the beginning of the history stay as they are. */
  extend(index: number): number;
}

/** No more requests than this are tried at once. */
const LONGEST_STRIDE = 1024;

/** Whether steps see the current turn, too. When it pays is decided at each request, over all that it sends. */
export function seesAll({ steps, scope }: Pick<Policy, 'steps' | 'scope'>): boolean {
  const isPaced = ({ values }: Step) => values['every'] === 'auto' || typeof values['every'] === 'object';
  return scope === 'all' || steps.some((step) => serverSide.includes(step.transform) || isPaced(step));
}

function createHistory(
  transcript: Transcript,
  requests: readonly RequestSite[],
  { steps, scope, carries }: Policy,
  counts: Counts,
): History {
  const { messages } = transcript;
  const countOnce: Counts = { ...counts, text: cachedCount(counts.text) };
  const isWhole = seesAll({ steps, scope });
  const nextRound = scope === 'agent' ? nextRounds(messages) : [];
  const works = ({ start, message }: RequestSite) => scope === 'agent' && nextRound[start]! < message;
  const cutOf = (request: RequestSite) => (isWhole || works(request) ? request.message : request.run);
  const last = requests.at(-1) ?? NO_REQUEST;
  const { ready, others } = applySingleSteps(
    transcript,
    steps,
    countOnce,
    scope === 'agent' ? last.message : cutOf(last),
  );
  const intern = createInterner([...messages, ...ready]);
  const later = others.filter(({ transform }) => transform.perMessage === true);
  const rest = () => applySteps({ ...transcript, messages: ready }, later, countOnce).messages.map(intern);
  // of the thread, as its messages say
  let isMonotone = false;
  let stages: readonly Stage[] = [];
  const look = (thread: Transcript) => {
    isMonotone =
      !carries &&
      others.every(
        ({ transform, values }, at) =>
          transform.perMessage === true || transform.isMonotone?.(values, thread, at === 0) === true,
      );
    stages = stagesOf(others, thread, carries);
  };
  const applied = (history: readonly Message[], before?: Outputs) =>
    applyStages(stages, history, before, (seen, steps) =>
      applySteps({ ...transcript, messages: seen }, steps, countOnce).messages.map(intern),
    );
  let outputs: Outputs | undefined; // of the request up to which the history only grows, or of the last one
  let kept: Message[] = [];
  let steadyUntil = -1; // up to this request the history only grows
  let stride = 1;
  /** The last request of the thread that is at most so many requests further. */
  const ahead = (index: number, by: number) => {
    let last = index;
    while (last < index + by - 1 && requests[last + 1]?.thread === requests[index]!.thread) last++;
    return last;
  };
  const headOf = (index: number) => (requests[index]!.head ?? []).map((at) => ready[at]!);
  const isExtended = (history: readonly Message[], by: readonly Message[]) =>
    history.length === kept.length + by.length &&
    sameStart(history, 0, kept) === kept.length &&
    sameStart(history, kept.length, by) === by.length;
  /** Whether the history only grows from the last request to this one. If not, `kept` is its history. */
  const grows = (index: number): boolean => {
    if (index <= steadyUntil || others.length === 0) return true;
    const from = cutOf(requests[index - 1]!);
    for (let tried = isMonotone ? stride : 1; ; tried = Math.ceil(tried / 4)) {
      const last = ahead(index, tried);
      const cut = cutOf(requests[last]!);
      const added = ready.slice(from, cut);
      const next = applied(
        carries ? [...kept, ...added] : [...headOf(index), ...ready.slice(requests[index]!.start, cut)],
        outputs,
      );
      const history = next.at(-1)!;
      if (isExtended(history, added)) {
        outputs = next;
        steadyUntil = last;
        stride = Math.min(tried * 4, LONGEST_STRIDE);
        return true;
      }
      if (last === index) {
        stride = 1;
        outputs = next;
        kept = [...history];
        return false;
      }
    }
  };
  const only = others.length === 1 ? others[0] : undefined;
  let grow: Grow | undefined; // what the only step makes of the thread
  const endOf = (index: number) => Math.max(requests[index]!.start, cutOf(requests[index]!));
  const growTo = (toEnd: Grow, index: number) => {
    const { start, head = [] } = requests[index]!;
    const { same, added } = toEnd(head.length + endOf(index) - start);
    kept.length = same;
    addAll(kept, added);
    return same;
  };
  return {
    cutOf,
    rest: scope !== 'agent' ? messages : later.length === 0 ? ready : rest(),
    get kept() {
      return kept;
    },
    begin(index) {
      const { start } = requests[index]!;
      const head = headOf(index);
      const sent = [...head, ...ready.slice(start, endOf(ahead(index, requests.length)))];
      const whole = { ...transcript, messages: sent };
      grow = only && growOf(only)?.(whole, only.values, countOnce, carries);
      kept = [];
      steadyUntil = index;
      stride = 1;
      if (grow !== undefined) {
        growTo(grow, index);
        return;
      }
      look(whole);
      outputs = applied([...head, ...ready.slice(start, endOf(index))]);
      kept = [...outputs.at(-1)!];
    },
    extend(index) {
      if (grow !== undefined) return growTo(grow, index);
      if (!grows(index)) return 0;
      const { length } = kept;
      addAll(kept, ready.slice(cutOf(requests[index - 1]!), cutOf(requests[index]!)));
      return length;
    },
  };
}

const NO_REQUEST = { start: 0, run: 0, message: 0 } as RequestSite;

/** By message, the next one that has calls after others of the same run. */
function nextRounds(messages: readonly Message[]): readonly number[] {
  const next = new Array<number>(messages.length + 1).fill(messages.length);
  let call = messages.length; // the next message with calls, if no user message is before it
  for (let at = messages.length - 1; at >= 0; at--) {
    const { role, parts } = messages[at]!;
    const hasCall = parts.some(({ type }) => type === 'call');
    next[at] = hasCall && call < messages.length ? call : next[at + 1]!;
    call = hasCall ? at : role === 'user' ? messages.length : call;
  }
  return next;
}

/** Steps that change messages one by one run once for all requests, if they are the first ones. */
function applySingleSteps(transcript: Transcript, steps: readonly Step[], counts: Counts, until: number) {
  const { messages } = transcript;
  const first = steps.findIndex(({ transform }) => transform.perMessage !== true);
  const single = first < 0 ? steps : steps.slice(0, first);
  const past = applySteps({ ...transcript, messages: messages.slice(0, until) }, single, counts);
  return { ready: [...past.messages, ...messages.slice(until)], others: first < 0 ? [] : steps.slice(first) };
}

function withoutRecords(list: readonly Message[]): Message[] {
  return list.filter(({ role }) => role !== 'meta');
}

/** Caches token counts by text. */
function cachedCount(count: CountTokens): CountTokens {
  const known = new Map<string, number>();
  return (text) => {
    let tokens = known.get(text);
    if (tokens === undefined) {
      tokens = count(text);
      known.set(text, tokens);
    }
    return tokens;
  };
}
