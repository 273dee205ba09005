/** Applies a policy: the context of each request as an agent would have sent it that trims before each request. */
import { originOf } from '../transcript/compare.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { applySteps, type Step } from '../transforms/pipeline.js';
import type { Counts, CountTokens } from '../transforms/transform.js';
import type { RequestSite } from './requests.js';

export interface Policy {
  readonly steps: readonly Step[];
  /** `history`: the current run, from the last user message on, is not changed. */
  readonly scope: 'history' | 'all';
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
  { steps, scope, carries }: Policy,
  counts: Counts,
): Generator<Context, void, void> {
  const { messages } = transcript;
  const countOnce: Counts = { ...counts, text: cachedCount(counts.text) };
  const first = steps.findIndex(({ transform }) => transform.perMessage !== true);
  const others = first < 0 ? [] : steps.slice(first);
  const single = first < 0 ? steps : steps.slice(0, first);
  const cutOf = ({ run, message }: RequestSite) => (scope === 'history' ? run : message);
  const until = requests.length === 0 ? 0 : cutOf(requests.at(-1)!);
  // steps that change messages one by one run once for all requests
  const past = applySteps({ ...transcript, messages: messages.slice(0, until) }, single, countOnce);
  const ready = [...past.messages, ...messages.slice(until)];
  const intern = createInterner([...messages, ...ready]);
  const runners = others.map((step) => (step.transform.perMessage === true ? cachedStep(step) : step));
  const onlyTraffic = others.every(({ transform, values }) => transform.onlyTraffic?.(values) === true);
  const messagesBefore = sumsOf(messages, ({ role }) => role !== 'meta');
  const trafficBefore = sumsOf(messages, ({ parts }) => parts.some(({ type }) => type === 'call' || type === 'result'));
  const withoutRecords = (list: readonly Message[]) => list.filter(({ role }) => role !== 'meta');
  let kept: readonly Message[] = []; // the trimmed history of the last request
  let now: readonly Message[] | undefined; // the whole context, if a step created it
  let last: { readonly request: RequestSite; readonly cut: number } | undefined;
  for (const request of requests) {
    const before = request.thread === last?.request.thread ? last : undefined;
    const cut = cutOf(request);
    const isUntouched = others.length === 0 || (onlyTraffic && trafficBefore[cut] === trafficBefore[request.start]);
    if (isUntouched) {
      const from = before?.request.message ?? request.start;
      let same = before?.cut ?? request.start; // messages of the last run may be in the history now
      while (same < Math.min(cut, from) && ready[same] === messages[same]) same++;
      if (same >= cut) same = Math.max(same, from);
      yield {
        same: before === undefined ? 0 : messagesBefore[same]! - messagesBefore[request.start]!,
        added: withoutRecords([...ready.slice(same, cut), ...messages.slice(Math.max(same, cut), request.message)]),
      };
    } else {
      if (before === undefined || now === undefined || before.cut !== cut) {
        const from = before === undefined || now === undefined || !carries ? request.start : before.cut;
        const trimmed = before === undefined || now === undefined || !carries ? [] : kept;
        const history = [...trimmed, ...ready.slice(from, cut)];
        kept = applySteps({ ...transcript, messages: history }, runners, countOnce).messages.map(intern);
      }
      const old: readonly Message[] =
        before === undefined
          ? []
          : (now ??
            withoutRecords([
              ...ready.slice(request.start, before.cut),
              ...messages.slice(before.cut, before.request.message),
            ]));
      const next = withoutRecords([...kept, ...messages.slice(cut, request.message)]);
      let same = 0;
      while (same < old.length && old[same] === next[same]) same++;
      now = next;
      yield { same, added: next.slice(same) };
    }
    if (isUntouched) now = undefined;
    last = { request, cut };
  }
}

/** The number of counted messages before each index, and in total. */
function sumsOf(messages: readonly Message[], counts: (message: Message) => boolean): number[] {
  const sums = [0];
  for (const message of messages) sums.push(sums[sums.length - 1]! + (counts(message) ? 1 : 0));
  return sums;
}

/** Caches the output of a step that changes messages one by one; it does not change its own output. */
function cachedStep({ transform, values }: Step): Step {
  const done = new WeakMap<Message, Message>();
  return {
    values,
    transform: {
      ...transform,
      apply(transcript, options, count) {
        const { messages } = transcript;
        const after = transform.apply(
          { ...transcript, messages: messages.map((message) => done.get(message) ?? message) },
          options,
          count,
        );
        messages.forEach((message, index) => {
          done.set(message, after.messages[index]!);
        });
        return after;
      },
    },
  };
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

/** Maps equal messages that a step creates again and again to one object, so that each is counted and cached once. */
function createInterner(messages: readonly Message[]): (message: Message) => Message {
  const own = new Set(messages);
  const made = new Map<unknown, Message[]>();
  return (message) => {
    if (own.has(message)) return message;
    const key = originOf(message);
    const known = made.get(key) ?? [];
    const same = known.find((other) => isSame(message, other));
    if (same !== undefined) return same;
    made.set(key, [...known, message]);
    return message;
  };
}

function isSame(a: Message, b: Message): boolean {
  return (
    a === b ||
    (a.role === b.role &&
      a.parts.length === b.parts.length &&
      a.parts.every((part, index) => isSamePart(part, b.parts[index]!)))
  );
}

function isSamePart(a: Part, b: Part): boolean {
  if (a === b) return true;
  if (a.type === 'call')
    return b.type === 'call' && a.callId === b.callId && a.tool === b.tool && textOf(a.input) === textOf(b.input);
  if (a.type === 'result')
    return (
      b.type === 'result' &&
      a.callId === b.callId &&
      a.content.length === b.content.length &&
      joinTexts(a.content) === joinTexts(b.content)
    );
  if (a.type === 'text' || a.type === 'thinking') return b.type === a.type && textOf(a.text) === textOf(b.text);
  return a.raw !== undefined && a.raw === b.raw;
}
