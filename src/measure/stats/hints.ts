/** What `stats` says of a transcript beside its figures. */
import { callKey } from '../../json/canonical.js';
import { addAll } from '../../lists.js';
import { sumsSent } from '../../transcript/sent.js';
import { grouped, textOf } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { type Counting, uncounted } from './counting.js';

interface Row {
  readonly index: number;
  readonly role: string;
  readonly tools: readonly string[];
  readonly tokens: number;
}

interface CountedMessages {
  readonly counting: Counting;
  /** By index. */
  readonly tokens: readonly number[];
}

export function hintsOf(
  messages: readonly Message[],
  rows: readonly Row[],
  { counting, tokens }: CountedMessages,
): string[] {
  const longest = (role: string) =>
    rows.reduce<Row | undefined>(
      (most, row) => (row.role === role && row.tokens > (most?.tokens ?? 0) ? row : most),
      undefined,
    );
  const mark = counting.source === 'estimated' ? '~' : '';
  const hints: string[] = [];
  const system = longest('system');
  if (system !== undefined)
    hints.push(`longest system prompt: message ${system.index}, ${mark}${grouped(system.tokens)} tokens`);
  const result = longest('tool');
  if (result !== undefined) {
    const tools = result.tools.join(', ') || 'unknown tool';
    hints.push(`longest result: message ${result.index} (${tools}), ${mark}${grouped(result.tokens)} tokens`);
  }
  addAll(hints, replacedHints(messages, tokens, mark));
  const seen = new Map<string, { readonly call: string; times: number }>();
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type !== 'call') continue;
      const key = callKey(part);
      const same = seen.get(key) ?? { call: `${part.tool}(${textOf(part.input)})`, times: 0 };
      seen.set(key, { ...same, times: same.times + 1 });
    }
  const { call, times } = [...seen.values()].reduce((most, next) => (next.times > most.times ? next : most), {
    call: '',
    times: 1,
  });
  const repeated = [...seen.values()].reduce((sum, same) => sum + same.times - 1, 0);
  if (repeated > 0)
    hints.push(
      `identical calls: ${repeated} repeat an earlier one; most often (${times} times) ` +
        (call.length > 60 ? `${call.slice(0, 59)}…` : call),
    );
  const skipped = uncounted(messages).length;
  if (skipped > 0)
    hints.push(`not counted: ${skipped} audio or file ${skipped === 1 ? 'part' : 'parts'} of unknown token count`);
  return hints;
}

/** What the agent compacted is in the recording, and in no request any more. */
function replacedHints(messages: readonly Message[], tokens: readonly number[], mark: string): string[] {
  const last = messages.findLast(({ keeps }) => keeps !== undefined);
  if (last === undefined) return [];
  const left = sumsSent(messages, tokens).at(-1)!;
  const replaced = tokens.reduce((sum, count) => sum + count, 0) - left;
  if (replaced === 0) return [];
  const isHidden = last.parts.length > 0 && !last.parts.some(({ type }) => type === 'text');
  const unread = isHidden ? ', and a summary that cannot be read' : '';
  const [gone, next] = [replaced, left].map((count) => `${mark}${grouped(count)} tokens`);
  return [`compacted: ${gone} are no longer sent; the next request has ${next} of messages${unread}`];
}
