/**
 * A session of Cursor's database as a trajectory of ATIF: the composer lists bubbles, each a text, a thought or a call
 * with its result. Some hold their tokens; earlier composers hold the cost of each model.
 */
import type { Json } from '../../json/edit.js';
import { type JsonNode, parse } from '../../json/node.js';
import type { Select } from '../agent.js';
import { type Step, trajectory } from '../atif/atif-document.js';
import { tryParse } from '../shared/json-fields.js';
import { timeOf } from '../shared/recorded.js';

const ENTRY = 'SELECT CAST(value AS TEXT) AS data FROM cursorDiskKV WHERE key = ?';

export function cursorSession(id: string, select: Select): Json | undefined {
  const entry = (key: string) => select(ENTRY, key).flatMap(({ data }) => (data === null ? [] : parse(String(data))));
  const [composer] = entry(`composerData:${id}`);
  if (composer === undefined) return undefined;
  const headers = composer.get('fullConversationHeadersOnly')?.items() ?? [];
  const bubbles =
    headers.length > 0
      ? headers.flatMap((header) => entry(`bubbleId:${id}:${header.get('bubbleId')?.string}`))
      : (composer.get('conversation')?.items() ?? []);
  const cents = composer.get('usageData')?.members() ?? [];
  const cost = cents.reduce((sum, { value }) => sum + (value.get('costInCents')?.number ?? 0), 0);
  return trajectory({
    id,
    agent: 'cursor',
    model: modelIn(composer.get('modelConfig')),
    time: timeOf(composer.get('createdAt')),
    steps: bubbles.map(stepOf),
    totals: { total_cost_usd: cost > 0 ? cost / 100 : undefined },
  });
}

const USER = 1;

function stepOf(bubble: JsonNode): Step {
  const call = bubble.get('toolFormerData');
  const [input, output] = ['inputTokens', 'outputTokens'].map((key) => bubble.get('tokenCount')?.get(key)?.number ?? 0);
  return {
    isUser: bubble.get('type')?.number === USER,
    time: timeOf(bubble.get('createdAt')),
    model: modelIn(bubble.get('modelInfo')),
    text: bubble.get('text')?.string ?? '',
    thinking: bubble.get('thinking')?.get('text')?.string ?? '',
    calls: call?.get('name')?.isString ? [callOf(call)] : [],
    unread: call?.isObject && !call.get('name')?.isString ? [call] : [],
    metrics: input! + output! > 0 ? { prompt_tokens: input!, completion_tokens: output! } : undefined,
  };
}

function callOf(call: JsonNode): NonNullable<Step['calls']>[number] {
  // of a call that was stopped, the arguments can end in the middle
  const texts = ['rawArgs', 'params'].flatMap((key) => call.get(key)?.string || []);
  return {
    id: call.get('toolCallId')?.string ?? '',
    tool: call.get('name')!.string!,
    input: texts.map(tryParse).find((node) => node !== undefined) ?? texts[0],
    result: call.get('result')?.string ?? call.get('error')?.string,
  };
}

/** `default` is Cursor's choice. */
function modelIn(config: JsonNode | undefined): string | undefined {
  const model = config?.get('modelName')?.string;
  return model === 'default' || model === '' ? undefined : model;
}
