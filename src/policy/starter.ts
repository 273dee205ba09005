/** Generates a starter policy from recordings: rules that all of them meet. */
import { callKey } from '../json/canonical.js';
import { greatest } from '../lists.js';
import { safeJson } from '../safe/json.js';
import { type Conversation, inputOf } from './conversation.js';
import type { Call } from './types.js';

/** The observed calls of one tool. */
interface Seen {
  calls: number;
  transcripts: number;
  mostPerTurn: number;
  mostPerTranscript: number;
  /** Tools that were called in an earlier step in every transcript, whenever this one was. */
  before: Set<string> | undefined;
}

export interface Starter {
  add(conversation: Conversation): void;
  /** As YAML, with comments. */
  text(): string;
}

export function createStarter(): Starter {
  const tools = new Map<string, Seen>();
  let transcripts = 0;
  let repeats = 0;
  return {
    add({ calls }) {
      transcripts++;
      repeats += repeatsIn(calls);
      for (const tool of new Set(calls.map((call) => call.tool))) {
        const own = calls.filter((call) => call.tool === tool);
        const perTurn = new Map<number, number>();
        for (const { turn } of own) perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
        const [first] = own;
        const earlier = new Set(calls.filter(({ step }) => step < first!.step).map((call) => call.tool));
        const seen = tools.get(tool) ?? {
          calls: 0,
          transcripts: 0,
          mostPerTurn: 0,
          mostPerTranscript: 0,
          before: undefined,
        };
        tools.set(tool, {
          calls: seen.calls + own.length,
          transcripts: seen.transcripts + 1,
          mostPerTurn: greatest(perTurn.values(), seen.mostPerTurn),
          mostPerTranscript: Math.max(seen.mostPerTranscript, own.length),
          before: seen.before === undefined ? earlier : new Set([...seen.before].filter((name) => earlier.has(name))),
        });
      }
    },
    text: () =>
      starterText(
        [...tools].sort(([a, x], [b, y]) => y.calls - x.calls || (a < b ? -1 : 1)),
        transcripts,
        repeats,
      ),
  };
}

function repeatsIn(calls: readonly Call[]): number {
  const seen = new Set<string>();
  return calls.filter((call) => {
    const key = callKey({ tool: call.tool, input: inputOf(call) });
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  }).length;
}

/** An order becomes a rule if it held in at least this many transcripts, and in all with the tool. */
const TYPICAL = 2;

function starterText(
  tools: readonly (readonly [name: string, seen: Seen])[],
  transcripts: number,
  repeats: number,
): string {
  const ids = new Set<string>();
  const caps = tools.map(
    ([tool, { mostPerTurn }]) =>
      `  - { id: ${idOf(`${tool}-cap`, ids)}, type: max_calls, tool: ${scalar(tool)}, max: ${mostPerTurn}, per: ` +
      'turn, severity: warning }',
  );
  const orders = ordersOf(new Map(tools)).map(
    ([first, then]) =>
      `  - { id: ${idOf(`${first}-before-${then}`, ids)}, type: before, first: ${scalar(first)}, then: ` +
      `${scalar(then)}, severity: warning }`,
  );
  return [
    '# yaml-language-server: $schema=./node_modules/ctx-trim/dist/schema/policy.schema.json',
    ...(tools.length === 0
      ? ['# A starter policy. `ctx-trim policy init <recordings>` generates rules from recordings.']
      : [
          `# Made of ${transcripts} recorded ${transcripts === 1 ? 'transcript' : 'transcripts'}: all of them ` +
            'meet every rule below. Keep the intended rules, and delete the accidental ones.',
        ]),
    'version: 1',
    'currency: USD   # of the costs below',
    '',
    '# Names for several tools at once; globs are allowed.',
    '# aliases: { write: [write_*, delete_*] }',
    '',
    '# Lists of words to look for in the last user text.',
    '# words:',
    '#   past: { any: [earlier, before, previous, "last time", 之前, 以前, 上次, 前回] }',
    '#   now: { any: [now, current, 现在, 当前, 現在] }',
    '',
    'tools:',
    ...(tools.length === 0
      ? ['  query_history: { cost: 0.02 }   # cost of one call']
      : tools.map(
          ([tool, { calls, transcripts: of, mostPerTurn, mostPerTranscript }]) =>
            `  ${scalar(tool)}: {}   # ${calls} ${calls === 1 ? 'call' : 'calls'} in ${of} of ${transcripts} ` +
            `transcripts; at most ${mostPerTurn} in a turn, ${mostPerTranscript} in a transcript. Add { cost: ` +
            '0.02 }, { args: <JSON Schema> }',
        )),
    '',
    'rules:',
    ...(tools.length === 0
      ? ['  - { id: no-repeat, type: no_repeat, tool: "*", severity: warning }']
      : [
          '  # Any other tool is reported.',
          `  - { id: ${idOf('known-tools', ids)}, type: allowed_tools, tools: ` +
            `[${tools.map(([tool]) => scalar(tool)).join(', ')}] }`,
          '  # The maximum number of calls in one turn.',
          ...caps,
          ...(orders.length === 0 ? [] : ['  # Calls that were always made before.', ...orders]),
          `  # The same call twice${repeats === 0 ? ': there were none.' : `: there were ${repeats}.`}`,
          `  ${repeats === 0 ? '' : '# '}- { id: ${idOf('no-repeat', ids)}, type: no_repeat, tool: "*", ` +
            'severity: warning, unless: [previous_error] }',
        ]),
    '  # A tool that is allowed only for some questions:',
    `  # - { id: past-only, type: allow_when, tool: ${scalar(tools[0]?.[0] ?? 'query_history')}, last_user: { ` +
      'matches: [past], not_matches: [now] }, severity: error }',
    '  # A call that requires another call with the same argument before it:',
    '  # - { id: read-first, type: before, first: read_file, then: edit_file, same_arg: path }',
    '  # An alert: above this share of violations, the exit code is 1.',
    '  # - { id: abuse, type: violation_rate, of: past-only, max: 0.30, min_calls: 5 }',
    '',
    '# Examples for `ctx-trim policy test`.',
    '# examples:',
    '#   allow: ["What did we say earlier?"]',
    '#   deny: ["What is the current version?"]',
    '',
  ].join('\n');
}

/** Pairs of tools that were always called in this order. A chain a, b, c gives a before b and b before c. */
function ordersOf(tools: ReadonlyMap<string, Seen>): (readonly [first: string, then: string])[] {
  return [...tools].flatMap(([then, { before, transcripts }]) => {
    if (transcripts < TYPICAL) return [];
    const all = [...(before ?? [])];
    const nearest = all.filter(
      (first) => !all.some((other) => other !== first && tools.get(other)?.before?.has(first) === true),
    );
    return nearest.map((first) => [first, then] as const);
  });
}

/** A unique id of lower-case letters, digits and hyphens. */
function idOf(text: string, taken: Set<string>): string {
  const base =
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'rule';
  let id = base;
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
  taken.add(id);
  return id;
}

/** A name in YAML, quoted unless it is unambiguous. */
function scalar(text: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : safeJson(text);
}
