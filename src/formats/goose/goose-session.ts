/**
 * A session of goose's database as a trajectory of ATIF. A row of `messages` holds a list of contents: a result stands
 * in the user's message behind its call. The row of the session has the sums of all requests; since July 2026, a ledger
 * has a row for each, also for those of which no message is kept: https://github.com/aaif-goose/goose/pull/10172
 * https://github.com/block/goose/blob/main/crates/goose/src/conversation/message.rs (2026-11-26)
 * A compaction puts a summary, and a message of the model that asks it to go on, behind all that they stand for. Both
 * are hidden from the user: https://github.com/block/goose/blob/main/crates/goose/src/context_mgmt/mod.rs (2026-11-30)
 */
import type { Json } from '../../json/edit.js';
import { type JsonNode, parse } from '../../json/node.js';
import type { Select } from '../agent.js';
import { type Request, type Step, trajectory } from '../atif/atif-document.js';
import { tryParse } from '../shared/json-fields.js';

export function gooseSession(id: string, select: Select): Json | undefined {
  const [session] = select('SELECT * FROM sessions WHERE id = ?', id);
  if (session === undefined) return undefined;
  const rowsOf = (table: string) =>
    select(`SELECT 1 FROM sqlite_master WHERE name = '${table}'`).length === 0
      ? []
      : select(`SELECT * FROM ${table} WHERE session_id = ? ORDER BY created_timestamp, rowid`, id);
  const rows = rowsOf('messages');
  const ledger = rowsOf('usage_ledger');
  const messages = rows.map((row) => ({
    isUser: row['role'] === 'user',
    isHidden: isHidden(row['metadata_json']),
    time: Number(row['created_timestamp']) * 1000,
    contents: parse(String(row['content_json'])).items(),
  }));
  const all = messages.flatMap(({ contents }) => contents);
  const results = all.filter((content) => typeOf(content) === 'toolResponse');
  const called = new Set(all.filter(isCall).map(idOf));
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
  readonly contents: readonly JsonNode[];
}

/** None for a message that holds nothing but results of calls. */
function stepOf(
  { isUser, time, contents }: GooseMessage,
  results: readonly JsonNode[],
  called: ReadonlySet<string>,
): Step[] {
  const isAnswer = (content: JsonNode) => typeOf(content) === 'toolResponse' && called.has(idOf(content));
  if (contents.length > 0 && contents.every(isAnswer)) return [];
  const of = (types: readonly string[]) => contents.filter((content) => types.includes(typeOf(content)));
  return [
    {
      isUser,
      time,
      text: of(['text'])
        .flatMap((content) => content.get('text')?.string ?? [])
        .join('\n'),
      thinking: of(THOUGHTS)
        .flatMap((c) => (c.get('thinking') ?? c.get('text'))?.string ?? [])
        .join('\n'),
      calls: contents.filter(isCall).map((call) => ({
        id: idOf(call),
        tool: call.get('toolCall')?.get('value')?.get('name')?.string ?? '',
        input: call.get('toolCall')?.get('value')?.get('arguments'),
        result: resultOf(results.find((result) => idOf(result) === idOf(call))),
      })),
      unread: contents.filter((content) => !READ.has(typeOf(content)) && !isCall(content) && !isAnswer(content)),
    },
  ];
}

const THOUGHTS = ['thinking', 'reasoning'];
const READ: ReadonlySet<string> = new Set(['text', ...THOUGHTS]);

function isCall(content: JsonNode): boolean {
  return ['toolRequest', 'frontendToolRequest'].includes(typeOf(content));
}

function idOf(content: JsonNode): string {
  return content.get('id')?.string ?? '';
}

function resultOf(response: JsonNode | undefined): string | undefined {
  const result = response?.get('toolResult');
  const value = result?.get('value');
  const contents = value?.get('content') ?? value;
  if (!contents?.isArray) return response && (result?.get('error')?.string ?? '');
  return contents
    .items()
    .flatMap((content) => content.get('text')?.string ?? `[${typeOf(content)}]`)
    .join('\n');
}

function typeOf(content: JsonNode): string {
  return content.get('type')?.string ?? '';
}

function modelIn(config: unknown): string | undefined {
  return config ? parse(String(config)).get('model_name')?.string : undefined;
}

/** `2026-11-20 10:00:00`, in UTC. */
function timeIn(text: unknown): number | undefined {
  const time = Date.parse(`${String(text).replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
