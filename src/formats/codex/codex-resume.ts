/**
 * What Codex loads of a rollout: the newest `replacement_history` of a compaction, and the items after it. Without a
 * `session_meta` line it resumes nothing. As codex-rs does it: `load_rollout_items` in rollout/src/recorder.rs, and
 * core/src/session/rollout_reconstruction.rs; tried with @openai/codex 0.169.0 (2026-11-26).
 */
import type { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import { type Fault, firstFound, freshLine, type Line, type Loaded, type Resume, tornLines } from '../resume.js';
import { tokens } from '../shared/recorded.js';
import { heavyHistories } from './codex-heavy.js';

const TYPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted', 'world_state']);
/** Items that it reads and does not send. */
const LOCAL = new Set(['ghost_snapshot', 'other']);

export default {
  agent: 'codex',
  claims: (line) => TYPES.has(typeOf(line)) && line.get('payload')?.isObject === true,
  load(lines, name): Loaded {
    const own = lines.filter(({ node }) => node?.get('payload')?.isObject);
    const header = headless(own, name);
    const faults = firstFound(
      () => tornLines(lines),
      () => [...header, ...copies(own), ...nowhere(own), ...heavyHistories(own)],
    );
    return { messages: header.length > 0 ? 0 : loadedOf(own), faults };
  },
} satisfies Resume;

function typeOf(line: JsonNode): string {
  return line.get('type')?.string ?? '';
}

/** How many items it goes on with. */
function loadedOf(lines: readonly Line[]): number {
  let count = 0;
  let first = 0; // so many items at the beginning are turns of the user
  let turns: number[] = []; // at which items after them others begin
  const add = (isTurn: boolean) => {
    if (isTurn) turns.push(count);
    count++;
  };
  for (const { node } of lines) {
    const payload = node!.get('payload')!;
    const type = typeOf(node!);
    if (type === 'response_item' && !LOCAL.has(typeOf(payload))) add(isTurn(payload));
    else if (type === 'compacted') {
      const kept = payload.get('replacement_history');
      // without a history, the user's turns are left, and a summary
      first = kept?.isArray ? 0 : first + turns.length + 1;
      count = first;
      turns = [];
      if (kept?.isArray) for (const item of kept.items()) add(isTurn(item));
    } else if (typeOf(payload) === 'thread_rolled_back') {
      const back = tokens(payload, 'num_turns') ?? 0;
      const left = Math.max(0, first + turns.length - back);
      if (back <= 0 || left === first + turns.length) continue;
      count = turns[left - first] ?? left;
      turns.length = Math.max(0, left - first);
      first = Math.min(first, left);
    }
  }
  return count;
}

/** What Codex puts before the user's words is no turn of theirs. */
const CONTEXT = /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|permissions)|# AGENTS\.md)/;

function isTurn(item: JsonNode): boolean {
  const text = item.get('content')?.items(1)[0]?.get('text')?.string ?? '';
  return item.get('role')?.string === 'user' && !CONTEXT.test(text);
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/** The first line says whose rollout it is; its name says it, too. */
function headless(lines: readonly Line[], name: string): Fault[] {
  const first = lines[0];
  const hasItems = lines.some(({ node }) => typeOf(node!) === 'response_item');
  if (first === undefined || !hasItems || lines.some(({ node }) => typeOf(node!) === 'session_meta')) return [];
  const id = UUID.exec(name.slice(name.lastIndexOf('/') + 1))?.[0];
  const text = 'no line says which session this is (`session_meta`): Codex does not resume it';
  if (id === undefined)
    return [{ rule: 'header-missing', line: first, text: `${text}, nor does the name of the file` }];
  const context = lines.find(({ node }) => typeOf(node!) === 'turn_context')?.node?.get('payload');
  const timestamp = first.node!.get('timestamp')?.string ?? '1970-01-01T00:00:00.000Z';
  const cwd = context?.get('cwd')?.string ?? '/';
  const payload = { id, timestamp, cwd, originator: 'codex_cli_rs', cli_version: '0.0.0', source: 'cli' };
  const header = freshLine(first, { timestamp, type: 'session_meta', payload });
  return [{ rule: 'header-missing', line: first, text, mend: new Map([[first, [header, first]]]) }];
}

/** Lines that were written again: Codex sends what they hold twice. Times tell them from what only looks the same. */
function copies(lines: readonly Line[]): Fault[] {
  const firsts = new Map<number, number[]>(); // by a hash: texts of all lines take as much memory as the file
  const faults: Fault[] = [];
  for (let at = 0; at < lines.length; ) {
    const { bytes } = lines[at]!;
    const same = isTimed(lines[at]!) ? listIn(firsts, hashOf(bytes)) : undefined;
    const first = same?.find((index) => lines[index]!.bytes.equals(bytes));
    const run = first === undefined ? 0 : runOf(lines, first, at);
    const copied = lines.slice(at, at + run);
    if (first !== undefined && isCopy(copied)) {
      const what = run === 1 ? 'this line is' : `these ${run} lines are`;
      const text = `${what} the same as from line ${lines[first]!.at} on`;
      const mend = new Map(copied.map((line) => [line, []] as const));
      faults.push({ rule: 'record-twice', line: lines[at]!, text, mend });
      at += run;
    } else {
      if (first === undefined) same?.push(at);
      at += Math.max(run, 1);
    }
  }
  return faults;
}

function isTimed({ node }: Line): boolean {
  return /\d{4}-\d\d-\d\dT/.test(node!.get('timestamp')?.string ?? '');
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/, 2026-11-26), and the length. */
function hashOf(bytes: Buffer): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193);
  return (value >>> 0) + 2 ** 32 * (bytes.length % 2 ** 20);
}

function runOf(lines: readonly Line[], first: number, at: number): number {
  let run = 0;
  while (at + run < lines.length && first + run < at && lines[first + run]!.bytes.equals(lines[at + run]!.bytes)) run++;
  return run;
}

/** Events are said again at times, items never. */
function isCopy(lines: readonly Line[]): boolean {
  return lines.some(({ node }) => typeOf(node!) === 'response_item');
}

/** A compaction that leaves nothing, neither a history nor a summary, takes all before it away. */
function nowhere(lines: readonly Line[]): Fault[] {
  return lines.flatMap((line, index): Fault[] => {
    const payload = line.node!.get('payload')!;
    const history = payload.get('replacement_history');
    const isEmpty = history === undefined || history.isNull;
    if (typeOf(line.node!) !== 'compacted' || !isEmpty || payload.get('message')?.string || index === 0) return [];
    const text = 'this compaction has neither a summary nor a history: Codex goes on without what is before it';
    return [{ rule: 'compaction-nowhere', line, text, mend: new Map([[line, []]]), cut: line.bytes }];
  });
}
