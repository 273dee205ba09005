/** A message in the place of a run of calls that were dropped: how many they were, and of which tools. */

import { LANGUAGES, type Language, languageOf } from '../options/language.js';
import { withMessages, withoutLooseThoughts, withoutPartsOf } from '../transcript/edit.js';
import { textOf } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { REPEAT } from './clear-calls.js';

const WORDS: Readonly<Record<Language, (count: number, tools: string) => string>> = {
  en: (count, tools) =>
    `[Left out: ${count} earlier tool call${count === 1 ? '' : 's'} (${tools}), carried out${REPEAT.en}]`,
  zh: (count, tools) => `[已省略之前的 ${count} 次工具调用（${tools}），均已执行${REPEAT.zh}]`,
  ja: (count, tools) => {
    const left = `以前のツール呼び出し ${count} 件を省略しました`;
    return `[${left}（${tools}）、実行済み${REPEAT.ja}]`;
  },
};
type Run = Map<string, number>;

/**
 * Drops parts as `withoutParts` does, and puts a marker before what follows a run of dropped calls; none at the end,
 * where the model's next reply comes. A run ends at a message of the user. It takes in the marker of an earlier run, so
 * that an agent that goes on from what it sent says the same.
 */
export function withMarkers(
  transcript: Transcript,
  removed: ReadonlySet<Part>,
  lang: Language | undefined,
): Transcript {
  const left: Message[] = [];
  let run: Run = new Map();
  const add = (tool: string, count: number) => run.set(tool, (run.get(tool) ?? 0) + count);
  const mark = () => {
    if (run.size > 0) left.push({ role: 'assistant', parts: [{ type: 'text', text: markerOf(run, lang) }] });
    run = new Map();
  };
  for (const message of transcript.messages) {
    const earlier = runOf(message);
    if (earlier !== undefined) {
      for (const [tool, count] of earlier) add(tool, count);
      continue;
    }
    const rest = withoutPartsOf(message, removed);
    const gone = message.parts.flatMap((part) => (part.type === 'call' && removed.has(part) ? [part.tool] : []));
    if (rest !== undefined && message.role !== 'meta') {
      const hasCalls = rest.parts.some(({ type }) => type === 'call');
      const isResult = !hasCalls && rest.parts.some(({ type }) => type === 'result');
      if (!isResult && (gone.length === 0 || hasCalls)) mark();
    }
    if (rest !== undefined) left.push(rest);
    for (const tool of gone) add(tool, 1);
  }
  return withMessages(
    transcript,
    transcript.traits.piecesStandAlone ? withoutLooseThoughts(transcript.messages, left) : left,
  );
}

function markerOf(run: Run, lang: Language | undefined): string {
  const names = [...run].map(([tool, count]) => (count === 1 ? tool : `${tool} × ${count}`));
  const count = [...run.values()].reduce((sum, one) => sum + one, 0);
  return WORDS[languageOf(lang)](count, names.join(', '));
}

/** The run that a marker stands for; undefined of other messages. */
function runOf({ role, parts: [part, other] }: Message): Run | undefined {
  if (role !== 'assistant' || part?.type !== 'text' || other !== undefined) return undefined;
  const text = textOf(part.text);
  const list = text.startsWith('[') ? /[(（](.+)[)）]/s.exec(text)?.[1] : undefined;
  if (list === undefined) return undefined;
  const run: Run = new Map();
  for (const item of list.split(', ')) {
    const [tool = '', count = '1'] = item.split(' × ');
    run.set(tool, Number(count));
  }
  return LANGUAGES.some((lang) => markerOf(run, lang) === text) ? run : undefined;
}
