/**
 * SWE-agent trajectories: `history` holds chat messages with members of their own (`agent`, `message_type`, `action`, `thought`; a
 * result names its calls in `tool_call_ids`), `trajectory` the steps of the run, which repeat what was said, run and observed, and the
 * messages of each request. https://github.com/SWE-agent/SWE-agent/blob/main/docs/usage/trajectories.md
 */
import { amend, type Json, type JsonFields, ObjectEdit, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { defineFormat, type MessageChange, type Row } from '../format.js';
import chat from '../openai/openai-chat.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { isKept, type MappedValue, mapDeep, REMOVED } from '../shared/map-values.js';
import { changesByKey, removedTexts, repeatEdit, withoutRemovedTexts } from '../shared/sync-duplicates.js';

export default defineFormat({
  id: 'swe-agent',
  traits: { ...chat.traits, systemIsMessage: true },
  messagePaths: ['history'],
  score(raw) {
    const sure = chat.score(raw);
    return raw.get('agent')?.isString ? Math.min(1, sure * 1.1) : Math.min(0, sure);
  },
  read: chat.read,
  write(message) {
    const { raw } = message;
    const written = chat.write(message);
    const lostCalls =
      raw instanceof JsonNode &&
      written instanceof ObjectEdit &&
      written.fields.has('tool_calls') &&
      !message.parts.some(({ type }) => type === 'call');
    return lostCalls && raw.get('action')?.isString ? amend(raw, written, { action: '' }) : written; // it says in words what the calls ran
  },
  describe(record) {
    return { ...chat.describe!(record), id: record.get('instance_id')?.string ?? record.get('environment')?.string };
  },
  beforeWrite,
  syncDuplicates(record, changes) {
    const steps = record.get('trajectory');
    if (!steps?.isArray) return [];
    const value = patchItems(steps, stepsAfter(steps, changes).filter(isKept));
    return value === steps ? [] : [{ node: steps, value }];
  },
});

/** A message that was added has the members that its neighbours have. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const isTyped = before.some((node) => node.get('message_type') !== undefined);
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent: neighbour }) => {
    if (node !== undefined) return json;
    const { tool_call_id: id, ...rest } = json as JsonFields;
    const type = isTyped ? { message_type: rest['role'] === 'assistant' ? 'action' : 'observation' } : {};
    return { ...rest, agent: neighbour?.get('agent'), ...type, ...(id === undefined ? {} : { tool_call_ids: [id] }) };
  });
}

/** A step goes with the message that it ran, and is emptied where only words are left of that. */
function stepsAfter(steps: JsonNode, changes: readonly MessageChange[]): MappedValue[] {
  const fateOf = fatesOf(changes);
  let next = 0;
  return steps.items().map((step) => {
    const run = changes.findIndex(({ before }, index) => index >= next && isRunBy(before, step));
    const [said, seen] = run < 0 ? [undefined, undefined] : [changes[run]!, changes[run + 1]];
    if (run >= 0) next = run + 1;
    if (said !== undefined && said.after === undefined) return REMOVED;
    const fields: Record<string, Json | undefined> = Object.fromEntries(
      step.members().map(({ key, value }) => [key.text, walkedStep(value, fateOf)]),
    );
    if (said !== undefined && said.after !== said.before && !said.after!.parts.some(({ type }) => type === 'call'))
      Object.assign(fields, { action: '', observation: '' });
    else if (seen !== undefined && seen.after !== seen.before && seen.before.role === 'tool')
      fields['observation'] = seen.after === undefined ? '' : textsOf(seen.after);
    return patch(step, fields);
  });
}

function isRunBy({ role, raw }: Message, step: JsonNode): boolean {
  return (
    role === 'assistant' &&
    raw instanceof JsonNode &&
    raw.get('action')?.isString === true &&
    raw.get('action')!.text === step.get('action')?.string
  );
}

/** Messages of a request (`messages`, before that `query`) have the places that they have in the history, or are told by what they say. */
function walkedStep(value: JsonNode, fateOf: (node: JsonNode, index?: number) => MappedValue | undefined): Json {
  if (!value.isArray) return mapDeep(value, (node) => fateOf(node)) as Json;
  return patchEach(value, (item, index) => {
    const fate = fateOf(item, index) ?? mapDeep(item, (node) => fateOf(node));
    return isKept(fate) ? fate : undefined;
  });
}

function fatesOf(changes: readonly MessageChange[]): (node: JsonNode, index?: number) => MappedValue | undefined {
  const trimmed = removedTexts(changes);
  const byKey = changesByKey(changes, (message) => keyOf(message, true));
  return (node, index) => {
    if (node.isString) return withoutRemovedTexts(node, trimmed, false);
    if (node.get('role') === undefined) return undefined;
    const placed = index === undefined ? undefined : changes[index];
    const isPlaced = placed !== undefined && keyOf(placed.before.raw as JsonNode, false) === keyOf(node, false);
    const change = isPlaced ? placed : byKey.get(keyOf(node, true));
    return change === undefined ? undefined : repeatEdit(change, node);
  };
}

/** The role and ids of a message, and what it says. */
function keyOf(message: JsonNode, withContent: boolean): string {
  const calls = (message.get('tool_calls')?.items() ?? []).map((call) => call.get('id')?.string);
  const results = (message.get('tool_call_ids')?.items() ?? []).map((id) => id.string);
  const content = message.get('content');
  return JSON.stringify([message.get('role')?.string, calls, results, withContent ? content?.text : '']);
}

function textsOf({ parts }: Message): string {
  return parts
    .map((part) => (part.type === 'result' ? joinTexts(part.content) : part.type === 'text' ? joinTexts([part]) : ''))
    .join('');
}
