/**
 * Messages that Cline no longer sends: each entry of `ui_messages.json` has the range in force, and the index of the
 * last message when it was added. (https://github.com/cline/cline, src/core/task/message-state.ts, 2026-11-30)
 */
import type { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';

/** The same messages where nothing was deleted. `shown`: the content of `ui_messages.json`. */
export function withoutDeleted(messages: readonly Message[], shown: JsonNode): readonly Message[] {
  const all = [...messages];
  let known = '';
  for (const entry of shown.items()) {
    const range = entry.get('conversationHistoryDeletedRange');
    const [first, last] = range?.items().map(({ number }) => number) ?? [];
    if (range === undefined || first === undefined || last === undefined || range.text === known) continue;
    known = range.text;
    const deleted = new Set(messages.slice(first, last + 1).map(({ raw }) => raw));
    // the last message of the first request without them
    const index = entry.get('conversationHistoryIndex')?.number ?? 0;
    const next = Math.min(Math.max(index, last + 1), all.length - 1);
    if (deleted.size > 0 && next > last)
      all[next] = { ...all[next]!, keeps: (sent) => sent.filter(({ raw }) => !deleted.has(raw)) };
  }
  return known === '' ? messages : all;
}
