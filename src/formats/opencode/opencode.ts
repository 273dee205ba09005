/**
 * opencode's sessions. An export is `{info, messages: [{info, parts}]}`, and plugins get these messages; a call and its
 * result are one part `{type: "tool", callID, tool, state: {status, input, output, error, …}}`. On disk, every session,
 * every message (without its parts) and every part is a file of its own: a part with a call is read as a message, the
 * other files as lines without a message.
 * https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/message-v2.ts
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Traits } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { objectsIn, optionalString, present, stringIn } from '../shared/json-fields.js';
import { roundsIn } from '../vercel/ui-rounds.js';
import { isMessageFile, isPartFile, isSession, isToolPart, ROLES } from './opencode-files.js';
import { completeParts, emptiedPart, relinkMessages } from './opencode-list.js';
import { isSystem, readPart, readSystem, readTool } from './opencode-read.js';
import { recorded } from './opencode-usage.js';
import { writeParts } from './opencode-write.js';

const TRAITS: Traits = { resultsStandInCalls: true, flagsErrors: true };

export default defineFormat({
  id: 'opencode',
  traits: TRAITS,
  messagePaths: ['messages'],
  score(raw) {
    const info = raw.get('info');
    if (info !== undefined) return (info.get('role')?.string ?? '') in ROLES && raw.get('parts')?.isArray ? 1 : 0;
    return isSession(raw) || isMessageFile(raw) || isPartFile(raw) ? 0.95 : 0;
  },
  read(raw) {
    const info = raw.get('info');
    if (info === undefined)
      return isToolPart(raw) ? { role: 'assistant', parts: readTool(raw, ''), raw } : { role: 'meta', parts: [], raw };
    const role = ROLES[stringIn(info.get('role'), 'info.role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const parts = [
      ...readSystem(info),
      ...objectsIn(raw.get('parts'), 'parts').flatMap((part, index) => readPart(part, `parts[${index}].`, role)),
    ];
    const model = role === 'assistant' ? optionalString(info, 'modelID') : undefined;
    const keeps = isSummary(info) ? { keeps: (sent: readonly Message[]) => keptBy(info, sent) } : {};
    return { role, parts, model, raw, ...keeps, ...(isLeftOut(raw, info) && { cutOff: true }) };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    if (message.role === 'meta') return raw;
    const info = raw.get('info');
    const { role } = message;
    if (info === undefined) return writeParts(parts, { role, nodes: [raw] })[0] ?? emptiedPart(raw);
    const list = present(raw, 'parts');
    const system = parts.some((part) => isSystem(part, info)) ? info.get('system') : undefined;
    const listed = parts.filter((part) => !isSystem(part, info));
    const written = writeParts(listed, { role, nodes: list?.items() ?? [], time: info.get('time') });
    return patch(raw, {
      info: info.get('system')?.isString ? patch(info, { system }) : info,
      ...(list === undefined && written.length === 0
        ? {}
        : { parts: list === undefined ? written : patchItems(list, written) }),
    });
  },
  rounds: ({ parts, raw }) => (raw instanceof JsonNode ? roundsIn(parts, raw.get('parts')?.items() ?? []) : [parts]),
  describe(record) {
    const info = record.get('info');
    const models = (record.get('messages')?.items() ?? []).map((message) => message.get('info')?.get('modelID'));
    return {
      id: info?.get('id')?.string,
      project: info?.get('directory')?.string,
      title: info?.get('title')?.string,
      model: [info?.get('model')?.get('id'), ...models].find((model) => model?.isString)?.string,
    };
  },
  header(line) {
    return {
      traits: line.get('info') === undefined ? { ...TRAITS, holdsOnlyReplies: true } : TRAITS,
      id:
        line.get('sessionID')?.string ??
        (isSession(line) ? line.get('id')?.string : undefined) ??
        line.get('info')?.get('sessionID')?.string,
    };
  },
  recorded,
  beforeWrite(rows, before) {
    const isExport = before.some((node) => node.get('info') !== undefined);
    return isExport ? relinkMessages(rows, before) : completeParts(rows, before);
  },
});

function fresh({ role, parts, model }: Message): Json {
  const system = parts.find((part) => part.type === 'opaque' && part.raw instanceof JsonNode && part.raw.isString);
  const listed = parts.filter((part) => part !== system);
  const info = {
    role: role === 'assistant' ? role : 'user',
    modelID: model,
    system: system?.raw as JsonNode | undefined,
  };
  return { info, parts: writeParts(listed, { role, nodes: [] }) };
}

/** Whether opencode leaves a failed reply out of later requests. An aborted one that says something goes in. */
function isLeftOut(raw: JsonNode, info: JsonNode): boolean {
  const error = info.get('error');
  if (!error?.isObject) return false;
  const says = (part: JsonNode) => !SILENT_TYPES.has(part.get('type')?.string ?? '');
  return error.get('name')?.string !== 'MessageAbortedError' || raw.get('parts')?.items().some(says) !== true;
}

const SILENT_TYPES = new Set(['step-start', 'reasoning']);

/** Whether a reply is the summary of a compaction that came to its end. */
function isSummary(info: JsonNode): boolean {
  const isDone = info.get('finish')?.isString === true && (info.get('error')?.isNull ?? true);
  return info.get('summary')?.boolean === true && isDone;
}

/** The request for the summary, and those from the first message on that it left uncompacted. */
function keptBy(summary: JsonNode, sent: readonly Message[]): readonly Message[] {
  const placeOf = (id: string | undefined) =>
    sent.findIndex(({ raw }) => raw instanceof JsonNode && raw.get('info')?.get('id')?.string === id);
  const asked = placeOf(summary.get('parentID')?.string);
  const parts = (sent[asked]?.raw as JsonNode | undefined)?.get('parts')?.items() ?? [];
  const compaction = parts.find((part) => part.get('type')?.string === 'compaction');
  if (compaction === undefined) return sent;
  const first = placeOf(compaction.get('tail_start_id')?.string);
  return sent.slice(first < 0 ? asked : first);
}
