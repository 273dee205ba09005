import { type Language, languageOf, languageOption } from '../options/language.js';
import { type CallSite, isOpen, pair } from '../transcript/pairs.js';
import { joinTexts } from '../transcript/text.js';
import type { Message, Part, ResultPart, Transcript } from '../transcript/types.js';
import { attemptKeys } from './attempts.js';
import { partsOfCalls, withoutParts } from './drop-calls.js';
import { everyOption, supersedingCalls, wholeGroups } from './every.js';
import { hasFailed } from './failures.js';
import { measureByUnit } from './measure.js';
import { replaceParts, withNote } from './results.js';
import { toolMatcher, toolOptions } from './tools.js';
import { type Counts, defineTransform } from './transform.js';

/** Around the first line of the error. It reads like an error, so a second run sees a failed call again. */
const NOTES: Readonly<Record<Language, readonly [start: string, end: string]>> = {
  en: ['[Failed: ', ' (a later attempt succeeded)]'],
  zh: ['[失败：', '（之后的尝试成功了）]'],
  ja: ['[失敗: ', '（後の試行は成功しました）]'],
};

/** The length of a first line in characters: more says little about why a call failed. */
const LONGEST = 120;

export default defineTransform({
  id: 'retries',
  summary: 'shorten or drop failed attempts before a success',
  description:
    'If failed calls come before a successful call of the same tool in the same turn, their results become one line ' +
    'with the beginning of the error, or with --drop the calls go with their results. Calls that act on files count ' +
    'only if the file is the same; commands of a shell, code and fetched pages only if they are the same. A call ' +
    'failed if its result is flagged as an error or, in formats without such a flag, reads like one. A success in ' +
    'the same message as the failure does not count. A result that would not get shorter does not change.',
  options: {
    drop: {
      type: 'flag',
      excludes: ['lang'],
      summary: 'drop the failed calls and their results; text of their messages stays',
    },
    sameArg: {
      type: 'text',
      many: true,
      value: 'tool=arg',
      summary: 'an argument that must be the same in attempts with this tool; repeatable',
    },
    ...everyOption,
    ...languageOption,
    ...toolOptions,
  },
  examples: [
    ['ctx-trim retries session.jsonl', 'one line for each failed attempt before a success'],
    ['ctx-trim retries --drop --exclude-tool "Bash*" run.json', 'drop the failed calls, except commands of the shell'],
  ],
  countsTokens: ({ drop }) => drop !== true,
  onlyTraffic: () => true,
  isMonotone: () => true,
  continues: () => true,
  apply(transcript, options, counts) {
    const matches = toolMatcher(options);
    const { calls } = pair(transcript.messages);
    const keyOf = attemptKeys(options.sameArg, transcript.project);
    const attempts = calls.filter((call) => !isOpen(call) && matches(call.part.tool));
    if (options.drop === true) {
      const failures = supersededFailures(attempts, transcript, keyOf).filter(({ failure }) => !failure.part.legacy);
      const dropped = failures.slice(0, wholeGroups(failures.length, options.every)).map(({ failure }) => failure);
      return dropped.length === 0 ? transcript : withoutParts(transcript, partsOfCalls(dropped));
    }
    const superseding = supersedingCalls(calls, options.every);
    const lang = languageOf(options.lang);
    const replacements = new Map<Part, Part>();
    for (const { failure, success } of supersededFailures(attempts, transcript, keyOf))
      if (superseding.has(success))
        for (const { part } of failure.results) replacements.set(part, withFirstLine(part, lang, counts));
    return replaceParts(transcript, replacements);
  },
});

interface Superseded {
  readonly failure: CallSite;
  readonly success: CallSite;
}

/** Failures with the success after them, in the order of the successes: a later message only adds to the end. */
function supersededFailures(
  calls: readonly CallSite[],
  { messages, traits }: Transcript,
  keyOf: (part: CallSite['part']) => string,
): readonly Superseded[] {
  const superseded: Superseded[] = [];
  const failures = new Map<string, CallSite[]>();
  let read = 0;
  for (const call of calls) {
    for (; read <= call.message; read++) if (messages[read]!.role === 'user') failures.clear();
    const key = keyOf(call.part);
    const earlier = failures.get(key) ?? [];
    failures.set(key, earlier);
    if (hasFailed(call, traits)) earlier.push(call);
    else {
      const known = earlier.filter((failure) => isAnswerTo(call, failure, messages));
      for (const failure of known) superseded.push({ failure, success: call });
      if (known.length > 0)
        failures.set(
          key,
          earlier.filter((failure) => !known.includes(failure)),
        );
    }
  }
  return superseded;
}

/** Whether the model knew the result when it made the call. */
function isAnswerTo(call: CallSite, { message, results }: CallSite, messages: readonly Message[]): boolean {
  const { group } = messages[call.message]!;
  return call.message > results.at(-1)!.message && (group === undefined || group !== messages[message]!.group);
}

function withFirstLine(part: ResultPart, lang: Language, counts: Counts): ResultPart {
  const [start, end] = NOTES[lang];
  const text = joinTexts(part.content).trim();
  if (text.startsWith(start) && text.endsWith(end)) return part;
  const [line = ''] = text.split('\n', 1);
  const { chars } = measureByUnit(counts.text);
  return withNote(part, start + chars.head(line.trim(), LONGEST) + end, counts);
}
