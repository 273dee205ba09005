/** A message in the place of a run of calls that were dropped: how many they were, and of which tools. */
import { type Language, languageOf } from '../options/language.js';
import { withMessages, withoutLooseThoughts, withoutPartsOf } from '../transcript/edit.js';
import type { Message, Part, Transcript } from '../transcript/types.js';

const WORDS: Readonly<Record<Language, (count: number, tools: string) => string>> = {
  en: (count, tools) =>
    `[Left out: ${count} earlier tool call${count === 1 ? '' : 's'} (${tools}). They were carried out; if you need a ` +
    'result and the call only reads, repeat the call]',
  zh: (count, tools) =>
    `[已省略之前的 ${count} 次工具调用（${tools}）。它们均已执行；如需某个结果且该调用只读取，请重新调用]`,
  ja: (count, tools) =>
    `[以前のツール呼び出し ${count} 件を省略しました（${tools}）。実行済みです。結果が必要で、読み取るだけの呼び出しなら、` +
    'もう一度呼び出してください]',
};
/** More names say little. */
const MOST_NAMES = 6;

/**
 * Drops parts as `withoutParts` does, and puts a marker before what follows a run of dropped calls; none at the end,
 * where the model's next reply comes. A run ends at a message of the user.
 */
export function withMarkers(
  transcript: Transcript,
  removed: ReadonlySet<Part>,
  lang: Language | undefined,
): Transcript {
  const left: Message[] = [];
  let tools: string[] = [];
  const mark = () => {
    if (tools.length > 0) left.push({ role: 'assistant', parts: [{ type: 'text', text: markerOf(tools, lang) }] });
    tools = [];
  };
  for (const message of transcript.messages) {
    const rest = withoutPartsOf(message, removed);
    const gone = message.parts.flatMap((part) => (part.type === 'call' && removed.has(part) ? [part.tool] : []));
    if (rest !== undefined && message.role !== 'meta') {
      const isResult =
        rest.parts.some(({ type }) => type === 'result') && rest.parts.every(({ type }) => type !== 'call');
      if (!isResult && (gone.length === 0 || rest.parts.some(({ type }) => type === 'call'))) mark();
    }
    if (rest !== undefined) left.push(rest);
    tools.push(...gone);
  }
  return withMessages(
    transcript,
    transcript.traits.piecesStandAlone ? withoutLooseThoughts(transcript.messages, left) : left,
  );
}

function markerOf(tools: readonly string[], lang: Language | undefined): string {
  const counts = new Map<string, number>();
  for (const tool of tools) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const names = [...counts].map(([tool, count]) => (count === 1 ? tool : `${tool} × ${count}`));
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), '…'] : names;
  return WORDS[languageOf(lang)](tools.length, shown.join(', '));
}
