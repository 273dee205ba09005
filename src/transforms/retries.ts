import { type Language, languageOf, languageOption } from '../options/language.js';
import { type CallSite, isOpen, pair } from '../transcript/pairs.js';
import { joinTexts } from '../transcript/text.js';
import type { Message, ResultPart, Transcript } from '../transcript/types.js';
import { attemptKeys } from './attempts.js';
import { partsOfCalls, withoutParts } from './drop-calls.js';
import { everyOption, replaceSuperseded, roundOf, type Superseded, supersedingCalls } from './every.js';
import { hasFailed } from './failures.js';
import { isSaid, keepingOptions } from './keeping.js';
import { measureByUnit } from './measure.js';
import { type Going, goingOf, type Pace, sizeOf } from './pace.js';
import { withNote } from './results.js';
import { toolMatcher, toolOptions } from './tools.js';
import { type Counts, defineTransform } from './transform.js';

/** Around the line of the error. It reads like an error, so a second run sees a failed call again. */
const NOTES: Readonly<Record<Language, readonly [start: string, end: string]>> = {
  en: ['[Failed: ', ' (a later attempt succeeded)]'],
  zh: ['[失败：', '（之后的尝试成功了）]'],
  ja: ['[失敗: ', '（後の試行は成功しました）]'],
};

/** The length of a first line in characters: more says little about why a call failed. */
const LONGEST = 120;

/**
 * Lines before the error of a failed command, as agents and test runners write them: exit codes, the header of a
 * result, banners, and the command itself. Seen in recordings of Claude Code, Codex and pi, 2026-11-26.
 */
const WRAPPER = new RegExp(
  [
    '\\W*$',
    '(?:error: |process |command )*(?:exit(?:ed with)?[ _]?(?:code|status)|return[ _]?code)[ :=]*-?\\d+\\W*$',
    '(?:chunk id|wall time|original token count|total output lines|command|output|stdout|stderr|result)\\s*:.{0,60}$',
    '(?:<\\w+>)+$',
    '[=_*-]{3,}.*[=_*-]{3,}$',
    '[>$] ',
    '[.FEsx]+(?:\\s+\\[\\s*\\d+%\\])?$',
    '(?:running|collecting|collected|platform|rootdir|plugins|cachedir)\\b',
  ]
    .map((line) => `^(?:${line})`)
    .join('|'),
  'i',
);

export default defineTransform({
  id: 'retries',
  summary: 'shorten or drop failed attempts before a success',
  description:
    'If failed calls come before a successful call of the same tool in the same turn, their results become one line ' +
    'with the error, or with --drop the calls go with their results. Calls that act on files count ' +
    'only if the file is the same; commands of a shell, code and fetched pages only if they are the same. A call ' +
    'failed if its result is flagged as an error or, in formats without such a flag, reads like one. A success in ' +
    'the same message as the failure does not count. A result that would not get shorter does not change. A ' +
    'call that a person refused stays.',
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
    ...keepingOptions,
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
  continues: ({ every }) => typeof every !== 'object',
  continuesBefore: ({ every, drop }) => every === 1 && drop !== true,
  apply(transcript, options, counts) {
    if (options.drop !== true)
      return replaceSuperseded(transcript, shortenedFailures(transcript, options, counts), options);
    const dropped = failuresGoing(transcript, options)(transcript.messages.length).flatMap(({ what }) => what);
    return dropped.length === 0 ? transcript : withoutParts(transcript, partsOfCalls(dropped));
  },
});

export interface RetriesOptions extends Pace {
  readonly drop: boolean | undefined;
  readonly sameArg: readonly string[];
  readonly everything: boolean | undefined;
  readonly lang: Language | undefined;
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}

/** Failures that go, with `--drop`. */
export function failuresGoing(transcript: Transcript, options: RetriesOptions): Going<readonly CallSite[]> {
  const dues = failuresIn(transcript, options)
    .filter(({ failure }) => !failure.part.legacy)
    .map(({ failure, success }) => ({
      what: [failure],
      ready: success.results[0]!.message,
      round: roundOf(failure, transcript.messages),
      frees: [failure, ...failure.results].map(({ message, part }) => [message, sizeOf(part)] as const),
    }));
  return goingOf(transcript, dues, options, { isWhole: true });
}

/** Failures of which the error is left. */
export function shortenedFailures(
  transcript: Transcript,
  options: RetriesOptions,
  counts: Counts,
): readonly Superseded[] {
  const superseding = supersedingCalls(transcript, pair(transcript.messages).calls, options.every);
  const lang = languageOf(options.lang);
  return failuresIn(transcript, options)
    .filter(({ success }) => superseding.has(success))
    .map(({ failure: call, success }) => ({
      call,
      since: superseding.get(success)!,
      parts: new Map(call.results.map(({ part }) => [part, withError(part, lang, counts)])),
    }));
}

function failuresIn(transcript: Transcript, options: RetriesOptions): readonly Retried[] {
  const matches = toolMatcher(options);
  const keyOf = attemptKeys(options.sameArg, transcript.project);
  const stays = (call: CallSite) => options.everything !== true && isSaid(call);
  const attempts = pair(transcript.messages).calls.filter((call) => !isOpen(call) && matches(call.part.tool));
  return supersededFailures(attempts, transcript, keyOf).filter(({ failure }) => !stays(failure));
}

interface Retried {
  readonly failure: CallSite;
  readonly success: CallSite;
}

/** Failures with the success after them, in the order of the successes: a later message only adds to the end. */
function supersededFailures(
  calls: readonly CallSite[],
  { messages, traits }: Transcript,
  keyOf: (part: CallSite['part']) => string,
): readonly Retried[] {
  const superseded: Retried[] = [];
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

/** The first line that names an error, or else the first that is no wrapper. */
function errorIn(lines: readonly string[]): string | undefined {
  const own = lines.filter((line) => !WRAPPER.test(line));
  return own.find((line) => ERROR.test(line)) ?? own[0];
}

const ERROR = /error\b|exception\b|\b(?:fail(?:s|ed|ure)?|fatal|panic|denied|not found|no such|cannot|unable)\b/i;

function withError(part: ResultPart, lang: Language, counts: Counts): ResultPart {
  const [start, end] = NOTES[lang];
  const text = joinTexts(part.content).trim();
  if (text.startsWith(start) && text.endsWith(end)) return part;
  const lines = text.split('\n').map((one) => one.trim());
  const line = errorIn(lines) ?? lines[0]!;
  const { chars } = measureByUnit(counts.text);
  return withNote(part, start + chars.head(line, LONGEST) + end, counts);
}
