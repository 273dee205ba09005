/**
 * ATIF, Harbor's Agent Trajectory Interchange Format: an object with `schema_version` and `steps`. A step of the agent
 * holds its calls and, in `observation.results`, their results. A result names a call of the same step in
 * `source_call_id`. Results without it answer the calls of their step in order; the remaining ones are observations
 * that answer no call. Steps are numbered from 1 without gaps. Trajectories of subagents are nested in that of their
 * parent. https://github.com/laude-institute/harbor/blob/main/docs/rfcs/0001-trajectory-format.md
 */
import { amend, type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ContentPart, Message, Part, Recorded, Role } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import { json, present, stringIn, wrongType } from '../shared/json-fields.js';
import { isCall, writeContent } from '../shared/parts.js';
import { costField, recordedOf, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { readContent, writePart } from './atif-content.js';
import { isObservation, readCalls, writeCall, writeList, writeObservation } from './atif-observation.js';
import { readUsage, trajectoryEnvelope } from './atif-trajectories.js';

const ROLES = table<Role>({ system: 'system', user: 'user', agent: 'assistant' });
/** Members that only steps of the agent have: they identify such a step if its source was redacted. */
const AGENT_MEMBERS = ['tool_calls', 'model_name', 'metrics', 'reasoning_content'];

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
      (AGENT_MEMBERS.some((key) => present(raw, key) !== undefined) ? 'assistant' : 'user');
    const thought = present(raw, 'reasoning_content');
    if (thought !== undefined && !thought.isString) return wrongType(thought, 'reasoning_content', 'a string');
    const thoughts: Part[] = thought === undefined ? [] : [{ type: 'thinking', text: thought, raw: thought }];
    const parts = [...thoughts, ...readContent(raw.get('message'), 'message'), ...readCalls(raw)];
    const model = role === 'assistant' ? stringIn(raw.get('model_name'), 'model_name') : undefined;
    // of an agent's database: see atif-document.ts
    const isSummary = raw.get('extra')?.get('compaction')?.boolean === true;
    return { role, parts, model, raw, ...(isSummary && { keeps: () => [] }) };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return writeFresh(message);
    const [thought] = parts.filter((part) => part.type === 'thinking');
    return patch(raw, {
      message: writeContent(parts.filter(isInMessage), raw.get('message'), writePart),
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
    // A copied step repeats the metrics of its original.
    const metrics = step.get('is_copied_context')?.boolean === true ? undefined : step.get('metrics');
    return recordedOf({
      model: step.get('model_name')?.string,
      time: timeOf(step.get('timestamp')),
      usage: readUsage(metrics),
      cost: costField(metrics, 'cost_usd'),
    });
  },
  beforeWrite: renumber,
  envelope: trajectoryEnvelope,
});

/** Renumbers steps without gaps, if they had none before. A step that was added gets the time of the step before it. */
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

/** Whether a part is written into `message`. */
function isInMessage(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'media' || (part.type === 'opaque' && !isObservation(part));
}

/** The step of a message that was added, without its number. */
function writeFresh(message: Message): Json {
  const { role, parts, model } = message;
  const [thought] = parts.filter((part) => part.type === 'thinking');
  return {
    source: role === 'system' || role === 'user' ? role : 'agent',
    model_name: model,
    message: writeContent(parts.filter(isInMessage), undefined, writePart) ?? '',
    reasoning_content: thought && json(thought.text),
    tool_calls: writeList(parts.filter(isCall).map(writeCall), undefined),
    observation: writeObservation(parts, undefined),
  };
}
