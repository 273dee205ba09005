import { type Language, languageOf, languageOption } from '../options/language.js';
import { type CallSite, isOpen, pair } from '../transcript/pairs.js';
import type { Part, Transcript } from '../transcript/types.js';
import { everyOption, replaceSuperseded, type Superseded, supersedingCalls } from './every.js';
import { hasFailed } from './failures.js';
import { fileCallOf, fileToolsWith } from './file-calls.js';
import { LaterCalls } from './later-calls.js';
import type { Pace } from './pace.js';
import { withNote } from './results.js';
import { shellReadOf } from './shell-reads.js';
import { withShorterInput } from './shorter-input.js';
import { toolMatcher, toolOptions } from './tools.js';
import { type Counts, defineTransform } from './transform.js';

const OUTDATED: Readonly<Record<Language, string>> = {
  en: '[Out of date: a later call read or changed this file]',
  zh: '[已过时：之后的调用又读取或修改了此文件]',
  ja: '[古い内容: 後の呼び出しがこのファイルを読み取るか変更しました]',
};

const NOTES: ReadonlySet<string> = new Set(Object.values(OUTDATED));

export default defineTransform({
  id: 'stale',
  summary: 'replace what a later read or edit of the same file supersedes',
  description:
    'The result of reading a file becomes a short note if a later call reads the same lines or more, edits the file ' +
    'or writes it. The long texts in the input of an edit become the note if a later call edits or writes the same ' +
    'file; paths, other values and the form of patches stay. Failed calls and calls without a result supersede ' +
    'nothing. The file tools of Claude Code, Codex, pi, opencode, Gemini CLI, Qwen Code, Copilot, OpenHands, ' +
    'SWE-agent, Cline, Kimi and Deep Agents are known, and of shells apply_patch and the commands that only show ' +
    'one file ' +
    '(cat, nl, sed -n, head, tail, grep, rg). --tool and --exclude-tool select which calls change; calls of any ' +
    'tool can supersede them. A result or input that would not get shorter does not change.',
  options: {
    reads: { type: 'flag', summary: 'only results of reads (reads and edits by default)' },
    edits: { type: 'flag', summary: 'only inputs of edits and writes' },
    pathArg: {
      type: 'text',
      many: true,
      value: 'tool=arg',
      summary: 'another tool that reads files, and its argument with the path; repeatable',
    },
    editPathArg: {
      type: 'text',
      many: true,
      value: 'tool=arg',
      summary: 'another tool that edits files, and its argument with the path; repeatable',
    },
    ...everyOption,
    ...languageOption,
    ...toolOptions,
  },
  examples: [
    ['ctx-trim stale --diff session.jsonl', 'preview what later reads and edits supersede'],
    ['ctx-trim stale --reads --every 20 run.json', 'only results of reads, and only once in 20 calls'],
    ['ctx-trim stale --path-arg load=file --edit-path-arg store=file run.json', 'for file tools of your own'],
  ],
  countsTokens: () => true,
  onlyTraffic: () => true,
  isMonotone: () => true,
  continues: ({ every }) => typeof every !== 'object',
  continuesBefore: ({ every }) => every === 1,
  apply: (transcript, options, counts) =>
    replaceSuperseded(transcript, outdatedCalls(transcript, options, counts, options.every === 'auto'), options),
});

export interface StaleOptions extends Pace {
  readonly reads: boolean | undefined;
  readonly edits: boolean | undefined;
  readonly pathArg: readonly string[];
  readonly editPathArg: readonly string[];
  readonly lang: Language | undefined;
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}

/** Calls that later calls on the same file supersede. `isExact`: whether it matters since when. */
export function outdatedCalls(
  transcript: Transcript,
  options: StaleOptions,
  counts: Counts,
  isExact: boolean,
): readonly Superseded[] {
  const matches = toolMatcher(options);
  const note = OUTDATED[languageOf(options.lang)];
  const tools = fileToolsWith({ reads: options.pathArg, edits: options.editPathArg });
  const changes = { read: options.reads === true || !options.edits, edit: options.edits === true || !options.reads };
  const { project } = transcript;
  const fileOf = ({ part }: CallSite) => fileCallOf(part, tools, project) ?? shellReadOf(part, project);
  const { calls } = pair(transcript.messages);
  const superseding = supersedingCalls(transcript, calls, options.every);
  const later = new LaterCalls(NOTES, isExact);
  const superseded: Superseded[] = [];
  for (const call of calls.toReversed()) {
    const file = isOpen(call) ? undefined : fileOf(call);
    if (file === undefined) continue;
    const { part, results } = call;
    const failed = hasFailed(call, transcript.traits);
    const since = changes[file.does] && matches(part.tool) ? later.since(call, file) : undefined;
    if (since !== undefined) {
      const parts = new Map<Part, Part>();
      if (file.does === 'edit') parts.set(part, withShorterInput(part, note, file.written, counts));
      else if (!failed) for (const { part: result } of results) parts.set(result, withNote(result, note, counts));
      superseded.push({ call, since, parts });
    }
    const moment = superseding.get(call);
    if (moment !== undefined && !failed) later.add(call, file, moment);
  }
  return superseded.reverse();
}
