import { callKey } from '../json/canonical.js';
import { type Language, languageOf, languageOption } from '../options/language.js';
import { isOpen, pair } from '../transcript/pairs.js';
import { everyOption, replaceSuperseded, type Superseded, supersedingCalls } from './every.js';
import { isSaid, keepingOptions } from './keeping.js';
import { withNote } from './results.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

export const REPEATED: Readonly<Record<Language, string>> = {
  en: '[The same call was made again later: see its result there]',
  zh: '[之后又进行了相同的调用：请看那里的结果]',
  ja: '[同じ呼び出しが後で再び行われました: 結果はそちらを参照]',
};

export default defineTransform({
  id: 'dedupe',
  summary: 'keep only the last result of identical calls',
  description:
    'Of several answered calls of one tool with the same arguments, only the last keeps its result; the results of ' +
    'the others become a short note, but for what a person said. The order of ' +
    'members, white space and the notation of numbers make no ' +
    'difference. A result that would not get shorter does not change.',
  options: {
    ignoreArg: {
      type: 'text',
      many: true,
      value: 'name',
      summary: 'an argument to ignore in the comparison; repeatable',
    },
    ...keepingOptions,
    ...everyOption,
    ...languageOption,
    ...toolOptions,
  },
  countsTokens: () => true,
  onlyTraffic: () => true,
  isMonotone: () => true,
  continues: ({ every }) => typeof every !== 'object',
  apply(transcript, options, counts) {
    const matches = toolMatcher(options);
    const ignored = new Set(options.ignoreArg);
    const note = REPEATED[languageOf(options.lang)];
    const seen = new Map<string, number>(); // since when
    const superseded: Superseded[] = [];
    const { calls } = pair(transcript.messages);
    const superseding = supersedingCalls(calls, options.every);
    for (const call of calls.toReversed()) {
      if (isOpen(call) || !matches(call.part.tool) || (options.everything !== true && isSaid(call))) continue;
      const key = callKey(call.part, (name, level) => level === 0 && ignored.has(name));
      const since = seen.get(key);
      const parts = () => new Map(call.results.map(({ part }) => [part, withNote(part, note, counts)]));
      if (since !== undefined) superseded.push({ call, since, parts: parts() });
      if (superseding.has(call)) seen.set(key, call.results[0]!.message);
    }
    return replaceSuperseded(transcript, superseded.reverse(), options);
  },
});
