/**
 * tau2-bench results: `simulations`, each with messages in a format of its own. A call holds its name and arguments as
 * values; a result names its call in `id`. A voice simulation has `ticks`, see tau2-ticks.ts.
 * https://github.com/sierra-research/tau2-bench
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { onceFor } from '../../once.js';
import type { CallPart, Message, Part, Recorded, Role } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { openaiBilling } from '../shared/billing.js';
import { jsonValue, optionalObjects, optionalString, present, wrongType } from '../shared/json-fields.js';
import { idField, isCall, isResult, joinedString } from '../shared/parts.js';
import { chatUsage, costField, recordedOf, responseInfo, sumOfCosts, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { freshReasoning, readReasoning, writeResponse } from './tau2-reasoning.js';
import { tickEnvelope } from './tau2-ticks.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' });

export default defineFormat({
  id: 'tau2',
  traits: { flagsErrors: true },
  messagePaths: ['simulations[].messages', 'messages'],
  envelope: tickEnvelope,
  explainEmpty: (record) =>
    record.get('info')?.get('agent_info') !== undefined && record.get('simulations') === undefined
      ? 'its simulations are in files of their own, in the folder `simulations` beside it; read these'
      : undefined,
  score(raw) {
    if (raw.get('tick_id') !== undefined && raw.get('agent_chunk') !== undefined) return 1;
    const role = raw.get('role')?.string;
    if (role === undefined || !(role in ROLES)) return 0;
    if (raw.get('content')?.isArray) return -1;
    const call = raw.get('tool_calls')?.items()[0];
    if (call !== undefined) return call.get('name')?.isString && call.get('function') === undefined ? 1 : -1;
    if (role === 'tool') return raw.get('id') !== undefined && raw.get('tool_call_id') === undefined ? 1 : -1;
    return raw.get('turn_idx') !== undefined ? 0.97 : 0.3;
  },
  read(raw) {
    if (raw.get('tick_id') !== undefined) return { role: 'meta', parts: [], raw };
    const role = ROLES[optionalString(raw, 'role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const content = present(raw, 'content');
    if (content !== undefined && !content.isString) return wrongType(content, 'content', 'a string or null');
    const texts = content === undefined ? [] : [{ type: 'text', text: content, raw: content } as const];
    if (role !== 'tool') {
      const parts = [...readReasoning(raw), ...texts, ...optionalObjects(raw, 'tool_calls').map(readCall)];
      return { role: isUserModel(raw) ? 'assistant' : role, parts, raw };
    }
    return {
      role,
      parts: [
        {
          type: 'result',
          callId: optionalString(raw, 'id') ?? '',
          content: texts,
          isError: raw.get('error')?.boolean === true,
          raw,
        },
      ],
      raw,
    };
  },
  write(message, near) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return fresh(message, near !== undefined && isOfUserModel(near) ? 'user' : 'assistant');
    if (message.role === 'meta') return raw;
    const result = message.parts.find(isResult);
    const old = raw.get('content');
    const content = textIn(result?.content ?? message.parts) ?? (old?.isString ? '' : old);
    if (result !== undefined) return patch(raw, { content, ...idField('id', result) });
    return patch(raw, {
      content,
      tool_calls: writeCalls(message.parts, raw),
      ...writeResponse(message.parts, raw, content),
    });
  },
  threads(messages) {
    const agents = messages.map(({ raw }) => (raw instanceof JsonNode && isOfUserModel(raw) ? 'user' : undefined));
    return agents.includes('user') ? { agentIds: agents } : undefined;
  },
  describe(record, list) {
    const info = record.get('info');
    const userModel = info?.get('user_info')?.get('llm')?.string;
    const simulation = list && simulationsOf(record).get(list.at);
    const runningCost = sumOfCosts(['agent_cost', 'user_cost'].map((key) => costField(simulation, key)));
    const others = [
      ...(list?.items() ?? []).flatMap((message) => requestOfUser(message, userModel) ?? []),
      ...(runningCost === undefined ? [] : [{ runningCost }]),
    ];
    return { model: info?.get('agent_info')?.get('llm')?.string, ...(others.length === 0 ? {} : { others }) };
  },
  recorded(raw) {
    const time = timeOf(raw.get('timestamp'));
    return isSimulated(raw) ? recordedOf({ time }) : recordedOf({ ...requestOf(raw), time });
  },
});

/** The simulations of a record, by the place of their messages. */
const simulationsOf = onceFor((record: JsonNode): ReadonlyMap<number, JsonNode> => {
  const simulations = record.get('simulations')?.items() ?? [record];
  return new Map(simulations.map((each) => [each.get('messages')?.at ?? -1, each] as const));
});

/** What is recorded of the request behind a message. A message that no model wrote, such as the greeting, costs 0. */
function requestOf(raw: JsonNode): Recorded {
  const data = raw.get('raw_data');
  const model = data?.get('model')?.string;
  const usage = chatUsage(data?.get('usage'), model) ?? chatUsage(raw.get('usage'), model);
  const cost = costField(raw, 'cost');
  if (usage === undefined && Number(cost ?? 0) === 0) return { model };
  return { ...responseInfo(data, usage, openaiBilling(data)), usage, cost };
}

/** The request of the model that simulates the user. `model`: the one of all its requests, if known. */
function requestOfUser(raw: JsonNode, model: string | undefined): Recorded | undefined {
  const request = isSimulated(raw) ? requestOf(raw) : undefined;
  return request?.usage === undefined && request?.cost === undefined
    ? undefined
    : { ...request, model: request.model ?? model, time: timeOf(raw.get('timestamp')), agent: 'user' };
}

/** Whether a message is a text of the simulated user; its calls are a transcript of their own. */
function isSimulated(raw: JsonNode): boolean {
  return raw.get('role')?.string === 'user' && !isUserModel(raw);
}

/** Whether a message is a call of the simulated user's own tools, or a result of one; the agent never sees these. */
function isOfUserModel(raw: JsonNode): boolean {
  return isUserModel(raw) || raw.get('requestor')?.string === 'user';
}

/** Whether a user's message is that of the model that simulates the user: then it has a list of calls. */
function isUserModel(raw: JsonNode): boolean {
  return raw.get('role')?.string === 'user' && raw.get('tool_calls')?.isArray === true;
}

function readCall(call: JsonNode): CallPart {
  return {
    type: 'call',
    callId: optionalString(call, 'id') ?? '',
    tool: optionalString(call, 'name') ?? '',
    input: call.get('arguments') ?? '{}',
    raw: call,
  };
}

function writeCalls(parts: readonly Part[], raw: JsonNode): Json | undefined {
  const list = present(raw, 'tool_calls');
  if (list === undefined) return raw.get('tool_calls');
  const requestor = isUserModel(raw) ? 'user' : 'assistant';
  const calls = parts.filter(isCall).map((call) => writeCall(call, requestor));
  const isEmptied = calls.length === 0 && list.items().length > 0;
  return isEmptied && !isUserModel(raw) ? null : patchItems(list, calls);
}

function writeCall(call: CallPart, requestor: Requestor) {
  if (!(call.raw instanceof JsonNode))
    return { id: call.callId ?? '', name: call.tool, arguments: jsonValue(call.input), requestor };
  return patch(call.raw, {
    ...idField('id', call),
    arguments: call.raw.get('arguments') === undefined ? undefined : jsonValue(call.input),
  });
}

/** Who calls the tools: the agent, or the simulated user. */
type Requestor = 'assistant' | 'user';

function fresh({ role, parts }: Message, requestor: Requestor) {
  const result = parts.find(isResult);
  const text = textIn(result?.content ?? parts) ?? null;
  if (result !== undefined)
    return { id: result.callId ?? '', role, content: text, requestor, error: result.isError === true };
  const calls = parts.filter(isCall).map((call) => writeCall(call, requestor));
  const isOfUser = requestor === 'user' && role === 'assistant';
  return {
    role: role === 'meta' || isOfUser ? 'user' : role,
    content: text,
    tool_calls: calls.length > 0 || isOfUser ? calls : null,
    ...freshReasoning(parts),
    ...(requestor === 'user' && !isOfUser ? { requestor } : {}),
  };
}

/** All texts as one: a content has only one; undefined if there is none. */
function textIn(parts: readonly Part[]): Json | undefined {
  return parts.some(({ type }) => type === 'text') ? joinedString(parts) : undefined;
}
