/**
 * A session of goose's database as a trajectory of ATIF. A row of `messages` holds a list of contents, as goose-read.ts
 * reads them: a result stands in the user's message behind its call. The row of the session has the sums of all
 * requests; since July 2026, a ledger has a row for each, also for those of which no message is kept:
 * https://github.com/aaif-goose/goose/pull/10172
 * A compaction puts a summary, and a message of the model that asks it to go on, behind all that they stand for. Both
 * are hidden from the user: https://github.com/block/goose/blob/main/crates/goose/src/context_mgmt/mod.rs (2026-11-30)
 */
import type { Json } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Part, ResultPart } from '../../transcript/types.js';
import type { Select } from '../agent.js';
import { type Request, type Step, trajectory } from '../atif/atif-document.js';
import { tryParse } from '../shared/json-fields.js';
import { isCall, isResult, readContent } from '../shared/parts.js';
import { validTime } from '../shared/recorded.js';
import { readGooseContent, typeOf } from './goose-read.js';

export function gooseSession(id: string, select: Select): Json | undefined {
  const [session] = select('SELECT * FROM sessions WHERE id = ?', id);
  if (session === undefined) return undefined;
  const rowsOf = (table: string) =>
    select(`SELECT 1 FROM sqlite_master WHERE name = '${table}'`).length === 0
      ? []
      : select(`SELECT * FROM ${table} WHERE session_id = ? ORDER BY created_timestamp, rowid`, id);
  const rows = rowsOf('messages');
  const ledger = rowsOf('usage_ledger');
  const messages = rows.map((row): GooseMessage => {
    return {
      isUser: row['role'] === 'user',
      isHidden: isHidden(row['metadata_json']),
      time: Number(row['created_timestamp']) * 1000,
      parts: readContent<Part>(parse(String(row['content_json'])), 'content', readGooseContent),
    };
  });
  const all = messages.flatMap(({ parts }) => parts);
  const results = all.filter(isResult);
  const called = new Set(all.filter(isCall).map(({ callId }) => callId));
  const sum = (name: string) =>
    larger(number(session[`accumulated_${name}`]) ?? number(session[name]), sumOf(ledger, name));
  return trajectory({
    id,
    agent: 'goose',
    model: modelIn(session['model_config_json']),
    time: timeIn(session['updated_at'] ?? session['created_at']),
    steps: messages.flatMap((message, index) => {
      const [step] = stepOf(message, results, called);
      const isSummary = message.isUser && message.isHidden && isGoingOn(messages[index + 1]);
      return step === undefined ? [] : [isSummary ? { ...step, isSummary } : step];
    }),
    requests: ledger.filter((row) => row['cost_source'] !== EARLIER).map(requestOf),
    totals: {
      total_prompt_tokens: sum('input_tokens'),
      total_completion_tokens: sum('output_tokens'),
      total_cached_tokens: sum('cache_read_tokens'),
      total_cost_usd: costOf(session, ledger),
      extra: { cache_write_tokens: sum('cache_write_tokens') },
    },
  });
}

type Row = ReturnType<Select>[number];

/** The sum of what was used before there was a ledger: no request. */
const EARLIER = 'carried_forward';

function requestOf(row: Row): Request {
  return {
    time: Number(row['created_timestamp']) * 1000,
    model: typeof row['model'] === 'string' ? row['model'] : undefined,
    metrics: {
      prompt_tokens: number(row['input_tokens']),
      completion_tokens: number(row['output_tokens']),
      cached_tokens: number(row['cache_read_tokens']),
      cost_usd: number(row['cost']),
      extra: { cache_write_tokens: number(row['cache_write_tokens']) },
    },
  };
}

/** Undefined where goose does not know that of each request, so that the rest is computed. */
function costOf(session: Row, ledger: readonly Row[]): number | undefined {
  const isWhole = ledger.every((row) => number(row['cost']) !== undefined);
  return isWhole ? larger(number(session['accumulated_cost']), sumOf(ledger, 'cost')) : undefined;
}

function sumOf(rows: readonly Row[], column: string): number | undefined {
  const values = rows.flatMap((row) => number(row[column]) ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

/** goose, too, takes the larger sum of the two that it keeps. */
function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Whether the user does not see a message. */
function isHidden(metadata: unknown): boolean {
  return typeof metadata === 'string' && tryParse(metadata)?.get('userVisible')?.boolean === false;
}

function isGoingOn(message: GooseMessage | undefined): boolean {
  return message?.isHidden === true && !message.isUser;
}

interface GooseMessage {
  readonly isUser: boolean;
  readonly isHidden: boolean;
  readonly time: number;
  readonly parts: readonly Part[];
}

/** None for a message that holds nothing but results of calls. */
function stepOf(
  { isUser, time, parts }: GooseMessage,
  results: readonly ResultPart[],
  called: ReadonlySet<string | undefined>,
): Step[] {
  const isAnswer = (part: Part) => isResult(part) && called.has(part.callId);
  if (parts.length > 0 && parts.every(isAnswer)) return [];
  const textsOf = (type: Part['type']) => parts.flatMap((part) => (part.type === type ? spoken(part) : []));
  const isRead = (part: Part) => part.type === 'text' || part.type === 'thinking' || isCall(part) || isAnswer(part);
  return [
    {
      isUser,
      time,
      text: textsOf('text').join('\n'),
      thinking: textsOf('thinking').join('\n'),
      calls: parts.filter(isCall).map(({ callId, tool, input }) => ({
        id: callId ?? '',
        tool,
        input: input instanceof JsonNode ? input : undefined,
        result: results
          .find((result) => result.callId === callId)
          ?.content.flatMap(spoken)
          .join('\n'),
      })),
      unread: parts.filter((part) => !isRead(part)).map(({ raw }) => raw as JsonNode),
    },
  ];
}

/** Media by its type. What is for the user alone says nothing. */
function spoken(part: Part): string[] {
  if (part.type === 'text' || part.type === 'thinking') return [textOf(part.text)];
  return part.type === 'opaque' && part.text === '' ? [] : [`[${typeOf(part.raw as JsonNode)}]`];
}

function modelIn(config: unknown): string | undefined {
  return config ? parse(String(config)).get('model_name')?.string : undefined;
}

/** `2026-11-20 10:00:00`, in UTC. */
function timeIn(text: unknown): number | undefined {
  return validTime(Date.parse(`${String(text).replace(' ', 'T')}Z`));
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
