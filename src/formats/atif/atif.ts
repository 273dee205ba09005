/**
 * ATIF, Harbor's Agent Trajectory Interchange Format: an object with `schema_version` and `steps`. A step of the agent holds the calls
 * that it makes and, in `observation.results`, what they gave: a result names its call of the same step in `source_call_id`. Results
 * without one answer the calls of their step in order, as long as there are any; what is left over is what the environment showed
 * after something that is no call. Steps are numbered from 1 without gaps, and trajectories of subagents stand inside that of their
 * parent. https://github.com/laude-institute/harbor/blob/main/docs/rfcs/0001-trajectory-format.md
 */
import { amend, type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type {
  CallPart,
  ContentPart,
  Message,
  OpaquePart,
  Part,
  Recorded,
  ResultPart,
  Role,
  Usage,
} from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import { json, jsonValue, objectsIn, present, stringIn, wrongType } from '../shared/json-fields.js';
import { idField, inputField, isCall, readMedia, readText, writeContent } from '../shared/parts.js';
import { costField, recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { table } from '../shared/table.js';

const ROLES = table<Role>({ system: 'system', user: 'user', agent: 'assistant' });
/** Members of the agent's steps alone: they tell whose a step is where its source was redacted. */
const AGENTS = ['tool_calls', 'model_name', 'metrics', 'reasoning_content'];
const MEDIA = table<'image' | 'audio'>({ image: 'image', audio: 'audio' });

export default defineFormat({
  id: 'atif',
  traits: { resultsStandInCalls: true, systemIsMessage: true },
  messagePaths: [],
  score(raw) {
    const source = raw.get('source')?.string;
    if (source === undefined || raw.get('step_id')?.number === undefined || raw.get('message') === undefined) return 0;
    return source in ROLES ? 1 : 0.6;
  },
  read(raw) {
    const role =
      ROLES[stringIn(raw.get('source'), 'source') ?? ''] ??
      (AGENTS.some((key) => present(raw, key) !== undefined) ? 'assistant' : 'user');
    const thought = present(raw, 'reasoning_content');
    if (thought !== undefined && !thought.isString) return wrongType(thought, 'reasoning_content', 'a string');
    const thoughts: Part[] = thought === undefined ? [] : [{ type: 'thinking', text: thought, raw: thought }];
    const parts = [...thoughts, ...readContent(raw.get('message'), 'message'), ...readCalls(raw)];
    const model = role === 'assistant' ? stringIn(raw.get('model_name'), 'model_name') : undefined;
    return { role, parts, model, raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return writeFresh(message);
    const [thought] = parts.filter((part) => part.type === 'thinking');
    return patch(raw, {
      message: writeContent(parts.filter(isSaid), raw.get('message'), writePart),
      ...(present(raw, 'reasoning_content') === undefined && thought === undefined
        ? {}
        : { reasoning_content: thought && json(thought.text) }),
      tool_calls: writeList(parts.filter(isCall).map(writeCall), raw.get('tool_calls')),
      observation: writeObservation(parts, raw.get('observation')),
    });
  },
  describe(trajectory) {
    const agent = trajectory.get('agent');
    const tools = agent?.get('tool_definitions');
    return {
      id: trajectory.get('session_id')?.string ?? trajectory.get('trajectory_id')?.string,
      model: agent?.get('model_name')?.string,
      tools: tools?.isArray ? tools : undefined,
    };
  },
  recorded(step): Recorded | undefined {
    const metrics = step.get('is_copied_context')?.boolean === true ? undefined : step.get('metrics'); // a copied step was paid for where it was copied from
    return recordedOf({
      model: step.get('model_name')?.string,
      time: timeOf(step.get('timestamp')),
      usage: readUsage(metrics),
      cost: costField(metrics, 'cost_usd'),
    });
  },
  beforeWrite: renumber,
  envelope: {
    open: (trajectory) =>
      isTrajectory(trajectory) ? trajectories(trajectory).map((each) => each.get('steps')!) : undefined,
    close(trajectory, lists) {
      const [first, ...rest] = lists as [Json, ...Json[]];
      return withSteps(trajectory, first, rest);
    },
  },
});

function isTrajectory(record: JsonNode): boolean {
  return record.get('steps')?.isArray === true && (record.get('schema_version') ?? record.get('agent')) !== undefined;
}

/** A trajectory and those of its subagents, depth first. */
function trajectories(trajectory: JsonNode, level = 0): JsonNode[] {
  return [trajectory, ...subagents(trajectory, level).flatMap((subagent) => trajectories(subagent, level + 1))];
}

/** Subagents of subagents, so many times, are read. */
const DEEPEST = 50;

function subagents(trajectory: JsonNode, level: number): JsonNode[] {
  if (level >= DEEPEST) return [];
  return trajectory.get('subagent_trajectories')?.items().filter(isTrajectory) ?? [];
}

/** A trajectory with other steps, and its subagents with theirs: as many lists as `trajectories` finds. */
function withSteps(trajectory: JsonNode, steps: Json, ofSubagents: readonly Json[], level = 0): Json {
  let at = 0;
  const written = new Map(
    subagents(trajectory, level).map((subagent) => {
      const count = trajectories(subagent, level + 1).length;
      const [first, ...rest] = ofSubagents.slice(at, at + count) as [Json, ...Json[]];
      at += count;
      return [subagent.at, withSteps(subagent, first, rest, level + 1)];
    }),
  );
  const list = trajectory.get('subagent_trajectories');
  const others = list?.items().map((item) => written.get(item.at) ?? item);
  return patch(trajectory, {
    steps,
    ...(list === undefined ? {} : { subagent_trajectories: patchItems(list, others!) }),
  });
}

/** Steps that were numbered without a gap are so again; a step that was added has the time of the one before it. */
function renumber(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const first = before[0]?.get('step_id')?.number ?? 1;
  if (!before.every((step, index) => step.get('step_id')?.number === first + index))
    return rows.map(({ json }) => json);
  let timestamp = before[0]?.get('timestamp');
  return rows.map(({ node, json }, index) => {
    const number = first + index;
    timestamp = node === undefined ? timestamp : node.get('timestamp');
    if (node === undefined) return { step_id: number, timestamp, ...(json as JsonFields) };
    return node.get('step_id')!.number === number ? json : amend(node, json, { step_id: number });
  });
}

/** `prompt_tokens` is the whole prompt; what was written to a cache is no figure of the format, and stands in `extra` as the provider spelled it. */
function readUsage(metrics: JsonNode | undefined): Usage | undefined {
  const extra = metrics?.get('extra');
  return usageFromTotals(tokens(metrics, 'prompt_tokens'), tokens(metrics, 'completion_tokens'), {
    cacheRead: tokens(metrics, 'cached_tokens'),
    cacheWrite5m: tokens(extra, 'cache_creation_input_tokens') ?? tokens(extra, 'cache_write_tokens'),
    reasoning: tokens(extra, 'reasoning_tokens') ?? tokens(extra, 'reasoning_output_tokens'),
  });
}

// --- reading

/** A text, or (since version 1.6) content parts. */
function readContent(content: JsonNode | undefined, path: string): ContentPart[] {
  if (content === undefined || content.isNull) return [];
  if (!content.isArray) return [{ type: 'text', text: content, raw: content }]; // NeMo Relay writes what a provider said as it is
  return objectsIn(content, path).map((part, index) => {
    const type = part.get('type')?.string ?? '';
    return type === 'text' ? readText(type, part, 'text', `${path}[${index}]`) : readMedia(part, MEDIA[type]);
  });
}

/** Each call with its results behind it, then what answers no call of the step. */
function readCalls(step: JsonNode): Part[] {
  const calls = objectsIn(step.get('tool_calls'), 'tool_calls').map(readCall);
  const observed = present(step, 'observation');
  if (observed !== undefined && !observed.isObject) return wrongType(observed, 'observation', 'an object');
  const results = objectsIn(observed?.get('results'), 'observation.results').map(readResult);
  const answers = new Map<CallPart, ResultPart[]>(calls.map((call) => [call, []]));
  const others: Part[] = [];
  const isOpen = (call: CallPart) => answers.get(call)!.length === 0;
  for (const result of results.filter(({ callId }) => callId !== undefined)) {
    const alike = calls.filter(({ callId }) => callId === result.callId);
    const call = alike.find(isOpen) ?? alike[0];
    if (call === undefined) others.push(result);
    else answers.get(call)!.push(result);
  }
  for (const result of results.filter(({ callId }) => callId === undefined)) {
    const call = calls.find(isOpen);
    if (call === undefined) others.push(observation(result));
    else answers.get(call)!.push({ ...result, callId: call.callId });
  }
  return [...calls.flatMap((call) => [call, ...answers.get(call)!]), ...others];
}

function readCall(call: JsonNode, index: number): CallPart {
  const path = `tool_calls[${index}]`;
  const callId = stringIn(call.get('tool_call_id'), `${path}.tool_call_id`) ?? '';
  return {
    type: 'call',
    callId,
    tool: stringIn(call.get('function_name'), `${path}.function_name`) ?? '',
    input: call.get('arguments') ?? '{}',
    raw: call,
  };
}

function readResult(result: JsonNode, index: number): ResultPart {
  const path = `observation.results[${index}]`;
  return {
    type: 'result',
    callId: stringIn(result.get('source_call_id'), `${path}.source_call_id`),
    content: readContent(result.get('content'), `${path}.content`),
    raw: result,
  };
}

/** What the environment showed, but not for a call. */
function observation({ raw }: ResultPart): OpaquePart {
  return { type: 'opaque', text: (raw as JsonNode).get('content') ?? '', raw };
}

// --- writing

/** Whether a part stands in `message`: an observation is a result, and such an object has no type. */
function isSaid(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'media' || (part.type === 'opaque' && !isObservation(part));
}

function isObservation(part: Part): boolean {
  return (
    part.type === 'opaque' && part.raw instanceof JsonNode && part.raw.isObject && part.raw.get('type') === undefined
  );
}

function writePart(part: ContentPart): Json {
  const { raw } = part;
  const old = raw instanceof JsonNode ? raw : undefined;
  if (part.type !== 'text') return old ?? { type: part.type };
  return old?.isObject ? patch(old, { text: json(part.text) }) : { type: 'text', text: json(part.text) };
}

function writeCall(call: CallPart): Json {
  const { callId, tool, input, raw } = call;
  if (!(raw instanceof JsonNode))
    return { tool_call_id: callId ?? '', function_name: tool, arguments: jsonValue(input) };
  return patch(raw, { ...idField('tool_call_id', call), ...inputField('arguments', call, raw.get('arguments')) });
}

/** A list that lost all its elements goes. */
function writeList(items: readonly Json[], old: JsonNode | undefined): Json | undefined {
  if (!old?.isArray) return items.length === 0 ? old : items;
  return items.length === 0 && old.length > 0 ? undefined : patchItems(old, items);
}

function writeObservation(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  const calls = parts.filter(isCall);
  const list = old?.get('results');
  const shown = inPlace(
    parts.filter((part) => part.type === 'result' || isObservation(part)),
    calls,
    list,
  );
  const named = idsAreNeeded(shown, calls);
  const results = writeList(
    shown.map((part) => writeResult(part, named)),
    list,
  );
  if (!old?.isObject) return shown.length === 0 ? old : { results };
  return results === undefined && list !== undefined ? undefined : patch(old, { results });
}

/** Results where they stand in the list, those that were added behind them; in the given order, where only that tells which is which. */
function inPlace(shown: readonly Part[], calls: readonly CallPart[], list: JsonNode | undefined): readonly Part[] {
  const within = list?.items() ?? [];
  const home = ({ raw }: Part) => {
    const index = within.findIndex((item) => item.is(raw));
    return index < 0 ? within.length : index;
  };
  const ordered = [...shown].sort((a, b) => home(a) - home(b));
  const isLoose = (part: Part) => part.type !== 'result' || calls.every(({ callId }) => callId !== part.callId);
  const loose = ordered.filter(isLoose);
  return shown.filter(isLoose).every((part, index) => part === loose[index]) ? ordered : shown;
}

/** Whether results that name no call would be taken for those of others than now. */
function idsAreNeeded(ordered: readonly Part[], calls: readonly CallPart[]): boolean {
  const results = ordered.filter((part) => part.type === 'result');
  const isNamed = ({ raw }: ResultPart) => !(raw instanceof JsonNode) || present(raw, 'source_call_id') !== undefined;
  const taken = new Set(results.filter(isNamed).map(({ callId }) => callId));
  const free = calls.filter(({ callId }) => !taken.has(callId));
  return results.filter((result) => !isNamed(result)).some(({ callId }, index) => free[index]?.callId !== callId);
}

function writeResult(part: Part, named: boolean): Json {
  const { raw } = part;
  const old = raw instanceof JsonNode ? raw : undefined;
  if (part.type !== 'result') return old ?? {};
  const content = writeContent(part.content, old?.get('content'), writePart);
  if (old === undefined) return { source_call_id: part.callId ?? null, content: content ?? '' };
  const isNamed = named || present(old, 'source_call_id') !== undefined;
  return patch(old, { ...(isNamed ? idField('source_call_id', part) : {}), content });
}

/** What stands in no step yet. Its number is that of its place. */
function writeFresh(message: Message): Json {
  const { role, parts, model } = message;
  const [thought] = parts.filter((part) => part.type === 'thinking');
  return {
    source: role === 'system' || role === 'user' ? role : 'agent',
    model_name: model,
    message: writeContent(parts.filter(isSaid), undefined, writePart) ?? '',
    reasoning_content: thought && json(thought.text),
    tool_calls: writeList(parts.filter(isCall).map(writeCall), undefined),
    observation: writeObservation(parts, undefined),
  };
}
