/** A message in the place of a run of calls that were dropped: how many they were, and of which tools. */

import { LANGUAGES, type Language, languageOf } from '../options/language.js';
import { withMessages, withoutLooseThoughts, withoutPartsOf } from '../transcript/edit.js';
import type { CallSite } from '../transcript/pairs.js';
import { textOf } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { REPEAT } from './clear-calls.js';
import { growDropped } from './left-growing.js';
import type { Going } from './pace.js';
import type { Grow } from './transform.js';

const WORDS: Readonly<Record<Language, (count: number, tools: string) => string>> = {
  en: (count, tools) =>
    `[Left out: ${count} earlier tool call${count === 1 ? '' : 's'} (${tools}), carried out${REPEAT.en}]`,
  zh: (count, tools) => `[已省略之前的 ${count} 次工具调用（${tools}），均已执行${REPEAT.zh}]`,
  ja: (count, tools) => {
    const left = `以前のツール呼び出し ${count} 件を省略しました`;
    return `[${left}（${tools}）、実行済み${REPEAT.ja}]`;
  },
};
/** How many calls of each tool were dropped. */
type Run = ReadonlyMap<string, number>;
const NONE: Run = new Map();

/**
 * Drops parts as `withoutParts` does, and puts a marker before what follows a run of dropped calls; none at the end,
 * where the model's next reply comes. A run ends at a message of the user, and at what the model says or thinks. It
 * takes in the marker of an earlier run, so that an agent that goes on from what it sent says the same.
 */
export function withMarkers(
  transcript: Transcript,
  removed: ReadonlySet<Part>,
  lang: Language | undefined,
): Transcript {
  return withMessages(transcript, leftMarked(transcript, removed, lang, [NONE]).flat());
}

/** See `Transform.grow`. */
export function growMarked(
  transcript: Transcript,
  going: Going<readonly CallSite[]>,
  lang: Language | undefined,
): Grow {
  const runs = [NONE];
  return growDropped(transcript, going, (some, removed, index) => {
    runs.length = index + 1;
    return leftMarked(some, removed, lang, runs);
  });
}

/** By message, what is left of it, behind a marker. `runs`: the last is that before the first message; more follow. */
function leftMarked(
  { messages, traits }: Transcript,
  removed: ReadonlySet<Part>,
  lang: Language | undefined,
  runs: Run[],
): (readonly Message[])[] {
  const left = messages.map((message): readonly Message[] => {
    const run = runs.at(-1)!;
    const earlier = runOf(message);
    const rest = earlier === undefined ? withoutPartsOf(message, removed) : undefined;
    const gone = earlier ?? goneOf(message, removed);
    const isMarked = run.size > 0 && rest !== undefined && endsRun(rest, gone);
    runs.push(joined(isMarked ? NONE : run, gone));
    if (!isMarked) return rest === undefined ? [] : [rest];
    return [{ role: 'assistant', parts: [{ type: 'text', text: markerOf(run, lang) }] }, rest];
  });
  if (!traits.piecesStandAlone) return left;
  const tied = new Set(withoutLooseThoughts(messages, left.flat()));
  return left.map((ones) => ones.filter((message) => tied.has(message)));
}

/** `gone`: the calls that a message lost of which this is left. */
function endsRun({ role, parts }: Message, gone: Run): boolean {
  if (role === 'meta') return false;
  if (parts.some(({ type }) => type === 'call')) return true;
  return gone.size === 0 && !parts.some(({ type }) => type === 'result');
}

function goneOf({ parts }: Message, removed: ReadonlySet<Part>): Run {
  return parts.reduce(
    (run, part) => (part.type === 'call' && removed.has(part) ? joined(run, new Map([[part.tool, 1]])) : run),
    NONE,
  );
}

function joined(run: Run, more: Run): Run {
  if (more.size === 0) return run;
  const both = new Map(run);
  for (const [tool, count] of more) both.set(tool, (both.get(tool) ?? 0) + count);
  return both;
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
  const run = new Map<string, number>();
  for (const item of list.split(', ')) {
    const [tool = '', count = '1'] = item.split(' × ');
    run.set(tool, Number(count));
  }
  return LANGUAGES.some((lang) => markerOf(run, lang) === text) ? run : undefined;
}
