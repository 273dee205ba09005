/**
 * More breakpoints of Anthropic's prompt cache: before the oldest call that is whole, where the next cut will begin.
 * The entry that ends there is read again when the messages behind it change.
 */

/** A value of `cache_control`. */
export type Mark = object;

/** How the messages of a format carry breakpoints. */
export interface Marks<M extends object> {
  of(message: M): readonly Mark[];
  hasCall(message: M): boolean;
  /** The message with a breakpoint behind all it holds; undefined if its last block can carry none. */
  put(message: M, mark: Mark): M | undefined;
}

/** The breakpoints of a request outside of its messages: before them, and an automatic one, which is behind them. */
export interface OtherMarks {
  readonly before: readonly Mark[];
  readonly behind?: readonly Mark[];
}

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching, read 2026-11-26 */
const MOST = 4;
/** So many messages at the end of a request know its place: an agent appends to them, and may copy the last one. */
const NEAR = 4;

/**
 * A function to what is sent: `before` as they were, `after` as steps left them. It adds nothing if the caller sets no
 * breakpoint, or one on a message that is not the last.
 */
export function breakpointsBy<M extends object>(marks: Marks<M>) {
  const places = new WeakMap<object, number>(); // of the oldest whole call in earlier requests, by their messages
  return (before: readonly M[], after: M[], { before: first, behind = [] }: OtherMarks): M[] => {
    const last = [...after.slice(-1).flatMap(marks.of), ...behind];
    const mark = [...last, ...first.slice(-1)][0];
    const place = oldestWhole(before, after, marks);
    if (mark === undefined || place === undefined || after.slice(0, -1).some((one) => marks.of(one).length > 0))
      return after;
    const known = before.findLast((message) => places.has(message));
    const earlier = known === undefined ? place : places.get(known)!;
    for (const message of before.slice(-NEAR)) places.set(message, place);
    const ends = new Set([place, Math.min(place, earlier)]);
    const free = Math.max(0, MOST - first.length - last.length);
    return [...ends].slice(0, free).reduce((sent, end) => marked(sent, end, mark, marks), after);
  };
}

/** The first message with a call behind all that steps changed. */
function oldestWhole<M extends object>(before: readonly M[], after: readonly M[], { hasCall }: Marks<M>) {
  let whole = 0;
  while (whole < after.length && after[after.length - 1 - whole] === before[before.length - 1 - whole]) whole++;
  const at = after.findIndex((message, index) => index >= after.length - whole && hasCall(message));
  return at < 0 ? undefined : at;
}

/** With a breakpoint on the last message before `end` that can carry one. */
function marked<M extends object>(messages: M[], end: number, mark: Mark, { put }: Marks<M>): M[] {
  for (let at = end - 1; at >= 0; at--) {
    const carrying = put(messages[at]!, mark);
    if (carrying !== undefined) return messages.with(at, carrying);
  }
  return messages;
}
