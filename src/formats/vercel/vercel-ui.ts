/**
 * UI messages of the Vercel AI SDK: `{id, role, parts}`, where a call and its result are one part `tool-<name>` or `dynamic-tool`
 * whose `state` says how far it came. What a provider runs by itself passes through, as its results may not change.
 * https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message
 * Messages of version 4 have `toolInvocations` and `content`, later ones also repeat both in `parts`.
 * https://v4.ai-sdk.dev/docs/reference/ai-sdk-ui/use-chat#messages
 */
import { type Json, type JsonFields, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Part, ResultPart, Role } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import { hashId } from '../shared/derived-ids.js';
import {
  jsonValue,
  objectsIn,
  optionalObjects,
  optionalString,
  present,
  stringIn,
  stringOf,
  wrongMember,
  wrongType,
} from '../shared/json-fields.js';
import { joinedString } from '../shared/parts.js';
import { table } from '../shared/table.js';
import {
  mediaKind,
  metadataSays,
  modelIn,
  readValue,
  replySays,
  saysError,
  type Written,
  weave,
  writeValue,
} from './ai-sdk.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant' });
/** States in which a tool part has a result, and the member that holds it. */
const RESULTS = table<string>({
  'output-available': 'output',
  'output-error': 'errorText',
  'output-denied': 'approval',
});
/** Parts that only this format has, beside tools. */
const OWN_PARTS = /^(?:step-start|source(?:-url|-document)?|data-.*|reasoning-file)$/;
/** Parts that are shown, and never sent to a model unless the app converts them. */
const SHOWN = /^(?:source(?:-url|-document)?|data-.*)$/;
/** Members that only messages of version 4 have, beside `toolInvocations`. */
const V4 = ['createdAt', 'annotations', 'experimental_attachments', 'revisionId'];

export default defineFormat({
  id: 'vercel-ui',
  traits: { flagsErrors: true, resultsStandInCalls: true },
  messagePaths: ['messages', 'initialMessages', 'chat.messages', 'body.messages', 'data.messages'],
  score(raw) {
    const role = raw.get('role')?.string;
    if (role === undefined || !(role in ROLES || role === 'data')) return 0;
    const parts = present(raw, 'parts');
    if (parts !== undefined) return recognisesParts(parts);
    if (raw.get('toolInvocations')?.isArray) return 1;
    if (!raw.get('content')?.isString || !raw.get('id')?.isString) return 0;
    return V4.some((key) => raw.get(key) !== undefined) ? 0.65 : 0.55;
  },
  read(raw) {
    const role = ROLES[optionalString(raw, 'role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const list = present(raw, 'parts');
    const said =
      list === undefined
        ? readV4(raw)
        : objectsIn(list, 'parts').flatMap((part, index) => readPart(part, `parts[${index}]`));
    const parts = [
      ...said,
      ...optionalObjects(raw, 'experimental_attachments').map(
        (file): Part => ({ type: 'media', kind: mediaKind(file) ?? 'file', raw: file }),
      ),
    ];
    const model = role === 'assistant' ? modelIn(raw.get('metadata')) : undefined;
    return { role, parts, model, raw };
  },
  write(message) {
    const { raw, role } = message;
    const units = unitsOf(message.parts);
    if (!(raw instanceof JsonNode)) return { role: role === 'tool' ? 'assistant' : role, parts: units.map(writeUnit) };
    if (role === 'meta') return raw;
    const list = present(raw, 'parts');
    const attachments = present(raw, 'experimental_attachments');
    const files = attachments?.items() ?? [];
    const own = units.filter(({ from }) => !files.some((file) => file.is(from)));
    const kept = patchEach(attachments, (file) => (units.some(({ from }) => file.is(from)) ? file : undefined));
    return patch(raw, {
      ...(list === undefined ? v4Fields(own, raw) : partsFields(own, list, raw)),
      ...(kept === undefined ? {} : { experimental_attachments: kept }),
    });
  },
  describe(record) {
    const tools = record.get('tools');
    return {
      id: (present(record, 'id') ?? record.get('chatId'))?.string,
      model: modelIn(record) ?? record.get('selectedChatModel')?.string,
      tools: tools?.isArray || tools?.isObject ? tools : undefined,
      reply: replySays(record),
    };
  },
  recorded: (raw) =>
    raw.get('role')?.string === 'assistant' ? metadataSays(raw.get('metadata'), raw.get('createdAt')) : undefined,
  beforeWrite,
});

function recognisesParts(parts: JsonNode): number {
  if (!parts.isArray) return 0;
  let sure = 0.9;
  for (const part of parts.items()) {
    const type = part.get('type')?.string;
    if (type === undefined) return 0;
    if (type === 'text' || type === 'reasoning') {
      if (!(part.get('text') ?? part.get('reasoning'))?.isString) return -1; // parts of OpenTelemetry hold their text in `content`
    } else if (toolOf(part) !== undefined || OWN_PARTS.test(type)) sure = 1;
    else if (mediaKind(part) === undefined && sure < 1) sure = 0.5;
  }
  return parts.length === 0 ? 0.4 : sure;
}

// --- reading

/** Version 4 before it had parts: what was said last stands in `content`. */
function readV4(raw: JsonNode): Part[] {
  const thought = present(raw, 'reasoning');
  const content = present(raw, 'content');
  if (content !== undefined && !content.isString) return wrongType(content, 'content', 'a string');
  return [
    ...(thought?.isString ? [{ type: 'thinking', text: thought, raw: thought } as const] : []),
    ...optionalObjects(raw, 'toolInvocations').flatMap((tool, index) =>
      readTool(tool, tool, `toolInvocations[${index}]`),
    ),
    ...(content === undefined ? [] : [{ type: 'text', text: content, raw: content } as const]),
  ];
}

function readPart(part: JsonNode, path: string): Part[] {
  if (isBoundary(part)) return [];
  const type = stringIn(part.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || type === 'reasoning') {
    const text = part.get('text') ?? part.get('reasoning');
    return text?.isString
      ? [{ type: type === 'text' ? type : 'thinking', text, raw: part }]
      : wrongMember(text, part, `${path}.text`, 'a string');
  }
  const tool = toolOf(part);
  if (tool !== undefined && part.get('providerExecuted')?.boolean !== true) return readTool(tool, part, path);
  const kind = mediaKind(part);
  if (kind !== undefined) return [{ type: 'media', kind, raw: part }];
  return [SHOWN.test(type) ? { type: 'opaque', raw: part } : { type: 'opaque', text: part, raw: part }];
}

/** Where a step of the model begins: it goes with what the step said. */
function isBoundary(part: JsonNode): boolean {
  return part.get('type')?.string === 'step-start';
}

/** What of a part is a tool's: the part itself, or the invocation that it holds in version 4. */
function toolOf(part: JsonNode): JsonNode | undefined {
  const invocation = part.get('toolInvocation');
  if (invocation?.isObject) return invocation;
  return part.get('toolCallId') !== undefined && /^(?:dynamic-tool$|tool-)/.test(part.get('type')?.string ?? '')
    ? part
    : undefined;
}

/** A call, and its result where it has one. A tool that has no name is a result whose call went. */
function readTool(tool: JsonNode, raw: JsonNode, path: string): Part[] {
  const callId = stringIn(tool.get('toolCallId'), `${path}.toolCallId`) ?? '';
  const name = nameOf(tool);
  const input = ['input', 'args', 'rawInput'].map((key) => tool.get(key)).find((found) => found !== undefined);
  const call: CallPart[] = name === undefined ? [] : [{ type: 'call', callId, tool: name, input: input ?? '{}', raw }];
  return [...call, ...readResult(tool, callId, raw, path)];
}

function nameOf(tool: JsonNode): string | undefined {
  const type = tool.get('type')?.string;
  return type === undefined || type === 'dynamic-tool' ? tool.get('toolName')?.string : type.slice('tool-'.length);
}

function readResult(tool: JsonNode, callId: string, raw: JsonNode, path: string): ResultPart[] {
  const state = tool.get('state')?.string ?? '';
  if (tool.get('type') === undefined)
    return state === 'result'
      ? [
          {
            type: 'result',
            callId,
            content: readValue(tool.get('result')),
            isError: saysError(tool.get('result')),
            raw,
          },
        ]
      : [];
  const key = RESULTS[state];
  if (key === undefined) return [];
  if (key === 'output')
    return [{ type: 'result', callId, content: readValue(tool.get(key)), isError: saysError(tool.get(key)), raw }];
  const text = key === 'approval' ? tool.get(key)?.get('reason') : tool.get(key);
  if (stringIn(text, `${path}.${key}`) === undefined)
    return [{ type: 'result', callId, content: [], isError: true, raw }];
  return [{ type: 'result', callId, content: [{ type: 'text', text: text!, raw: text }], isError: true, raw }];
}

// --- writing

/** What is written as one: a call with its result, or another part. */
interface Unit {
  readonly from: unknown;
  readonly call?: CallPart;
  readonly result?: ResultPart;
  readonly part?: Part;
}

function unitsOf(parts: readonly Part[]): Unit[] {
  const units: Unit[] = [];
  for (const part of parts) {
    if (part.type === 'call') units.push({ from: part.raw, call: part });
    else if (part.type === 'result') {
      const at = units.findLastIndex(
        ({ call, result }) =>
          call !== undefined &&
          result === undefined &&
          (part.raw === undefined ? call.callId === part.callId : call.raw === part.raw),
      );
      if (at < 0) units.push({ from: part.raw, result: part });
      else units[at] = { ...units[at]!, result: part };
    } else units.push({ from: part.raw, part });
  }
  return units;
}

/** The parts, and what repeats them in messages of version 4. */
function partsFields(units: readonly Unit[], list: JsonNode, raw: JsonNode): JsonFields {
  const written = units.map((unit): Written & Unit => ({ ...unit, json: writeUnit(unit) }));
  const parts = weave(
    list,
    (item) => !isBoundary(item),
    written,
    (item, index, items) => (stepIsEmptied(index, items, units) ? undefined : item),
  );
  if (parts === list) return {};
  const invocations = present(raw, 'toolInvocations');
  return {
    parts,
    ...(invocations === undefined ? {} : { toolInvocations: repeatTools(written, list, invocations) }),
    ...repeatTexts(units, list, raw),
  };
}

/** Whether a step said something, and nothing of it is left. */
function stepIsEmptied(start: number, items: readonly JsonNode[], units: readonly Unit[]): boolean {
  const next = items.findIndex((item, index) => index > start && isBoundary(item));
  const step = items.slice(start + 1, next < 0 ? items.length : next);
  return step.length > 0 && !step.some((item) => units.some(({ from }) => item.is(from)));
}

/** Invocations beside the parts are theirs, told by id: the first with an id is the first part with it. */
function repeatTools(written: readonly (Written & Unit)[], list: JsonNode, invocations: JsonNode): Json {
  const tools = list.items().filter((part) => toolOf(part) !== undefined);
  const held = tools.filter((part) => part.get('toolInvocation') !== undefined);
  const parts = held.length > 0 ? held : tools;
  const keys = byOrder(parts.map((part) => toolOf(part)!));
  const partOf = new Map(parts.map((part, index) => [keys[index], part]));
  const own = byOrder(invocations.items());
  return patchEach(invocations, (tool, index) => {
    const part = partOf.get(own[index]);
    const unit = part && written.find(({ from }) => part.is(from));
    if (unit === undefined) return part === undefined ? tool : undefined;
    return unit.json === unit.from ? tool : writeTool(unit, tool);
  });
}

/** The id of each tool, and how many before it have the same. */
function byOrder(tools: readonly JsonNode[]): string[] {
  const seen = new Map<string, number>();
  return tools.map((tool) => {
    const id = tool.get('toolCallId')?.string ?? '';
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return `${count} ${id}`;
  });
}

/** The content is all texts of the parts, where it is told twice. */
function repeatTexts(units: readonly Unit[], list: JsonNode, raw: JsonNode): JsonFields {
  const texts = list.items().filter((part) => part.get('type')?.string === 'text');
  const content = raw.get('content');
  if (!content?.isString || content.text !== texts.map((part) => part.get('text')?.string ?? '').join('')) return {};
  return { content: joined(units) };
}

function joined(units: readonly Unit[]): string {
  return units.flatMap(({ part }) => (part?.type === 'text' ? [textOf(part.text)] : [])).join('');
}

function v4Fields(units: readonly Unit[], raw: JsonNode): JsonFields {
  const list = present(raw, 'toolInvocations');
  const tools = units.filter(({ part }) => part === undefined);
  const texts = units.flatMap(({ part }) => (part?.type === 'text' ? [part] : []));
  const thought = units.find(({ part }) => part?.type === 'thinking')?.part;
  const before = raw.get('reasoning');
  return {
    ...(texts.length === 1
      ? { content: stringOf(texts[0]!.text) }
      : raw.get('content')?.isString
        ? { content: joined(units) }
        : {}),
    ...(before?.isString ? { reasoning: thought?.type === 'thinking' ? stringOf(thought.text) : undefined } : {}),
    ...(list === undefined
      ? {}
      : {
          toolInvocations: tools.length === 0 && list.length > 0 ? undefined : patchItems(list, tools.map(writeUnit)),
        }),
  };
}

function writeUnit(unit: Unit): Json {
  const { part, from } = unit;
  const old = from instanceof JsonNode && from.isObject ? from : undefined;
  if (part === undefined) {
    const tool = old && (toolOf(old) ?? old);
    if (tool === undefined) return freshTool(unit);
    return tool === old || tool.is(old)
      ? writeTool(unit, tool)
      : patch(old!, { toolInvocation: writeTool(unit, tool) });
  }
  if (part.type !== 'text' && part.type !== 'thinking')
    return old === undefined
      ? { type: part.type }
      : old.get('type') === undefined
        ? { type: 'file', mediaType: old.get('contentType'), filename: old.get('name'), url: old.get('url') }
        : old;
  if (old === undefined) return { type: part.type === 'text' ? 'text' : 'reasoning', text: stringOf(part.text) };
  return patch(old, { [old.get('text') === undefined ? 'reasoning' : 'text']: stringOf(part.text) });
}

function writeTool(unit: Unit, old: JsonNode): Json {
  const isV4 = old.get('type') === undefined;
  const callId = unit.call?.callId ?? unit.result?.callId;
  return patch(old, {
    ...(callId ? { toolCallId: callId } : {}),
    ...callFields(unit.call, old, isV4),
    ...(isV4 ? v4ResultFields(unit.result, old) : resultFields(unit.result, old)),
  });
}

function callFields(call: CallPart | undefined, old: JsonNode, isV4: boolean): JsonFields {
  if (nameOf(old) === undefined) return {};
  if (call === undefined)
    return {
      ...(isV4 ? {} : { type: 'dynamic-tool' }),
      toolName: undefined,
      input: undefined,
      args: undefined,
      rawInput: undefined,
    };
  const key = ['input', 'args', 'rawInput'].find((name) => old.get(name) !== undefined);
  return key === undefined && call.input === '{}' ? {} : { [key ?? (isV4 ? 'args' : 'input')]: jsonValue(call.input) };
}

/** Which states go with which members is what `validateUIMessages` asks for. */
function resultFields(result: ResultPart | undefined, old: JsonNode): JsonFields {
  const key = RESULTS[old.get('state')?.string ?? ''];
  if (result === undefined)
    return key === undefined
      ? {}
      : {
          state: 'input-available',
          output: undefined,
          errorText: undefined,
          preliminary: undefined,
          approval: undefined,
        };
  const [first] = result.content;
  const text = joinedString(result.content);
  if (key === 'output') return { output: writeValue(result.content, old.get('output')) };
  if (key === 'errorText')
    return first === undefined && present(old, 'errorText') === undefined ? {} : { errorText: text };
  if (key === 'approval') {
    const approval = old.get('approval');
    return approval?.isObject && (first !== undefined || present(approval, 'reason') !== undefined)
      ? { approval: patch(approval, { reason: text }) }
      : {};
  }
  const hasInput = ['input', 'rawInput'].some((name) => old.get(name) !== undefined);
  const approved = old.get('approval')?.get('approved')?.boolean === true;
  return { ...outcome(result), ...(hasInput ? {} : { input: {} }), ...(approved ? {} : { approval: undefined }) };
}

/** A version 4 result says nothing of errors. */
function v4ResultFields(result: ResultPart | undefined, old: JsonNode): JsonFields {
  const before = old.get('state')?.string === 'result' ? old.get('result') : undefined;
  if (result === undefined) return before === undefined ? {} : { state: 'call', result: undefined };
  return { state: 'result', result: writeValue(result.content, before) };
}

function freshTool({ call, result }: Unit): Json {
  const id = { toolCallId: call?.callId ?? result?.callId ?? '' };
  const said = result === undefined ? { state: 'input-available' } : outcome(result);
  if (call === undefined) return { type: 'dynamic-tool', ...id, ...said };
  const name = call.tool === '' ? { type: 'dynamic-tool', toolName: '' } : { type: `tool-${call.tool}` };
  return { ...name, ...id, input: jsonValue(call.input), ...said };
}

function outcome({ content, isError }: ResultPart): JsonFields {
  const [first] = content;
  if (isError && (first === undefined || (content.length === 1 && first.type === 'text')))
    return { state: 'output-error', errorText: first?.type === 'text' ? textOf(first.text) : '' };
  return { state: 'output-available', output: writeValue(content, undefined, isError) ?? '' };
}

// --- messages that came

/** A message that was added has an id, and what else its neighbours have of its text and time. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const hasIds = before.some((node) => node.get('id')?.isString);
  const hasContent = before.some((node) => node.get('content')?.isString);
  let neighbour = before[0];
  return rows.map(({ node, json: written }) => {
    neighbour = node ?? neighbour;
    if (node !== undefined || written instanceof JsonNode) return written;
    const { role, parts } = written as { role: string; parts: readonly { type: string; text?: string }[] };
    const text = parts.map((part) => part.text ?? '').join('');
    const id = hasIds ? { id: hashId(`${neighbour?.get('id')?.text ?? ''}\n${role}\n${text}`) } : {};
    return {
      ...id,
      ...(neighbour?.get('createdAt') === undefined ? {} : { createdAt: neighbour.get('createdAt') }),
      role,
      ...(hasContent ? { content: text } : {}),
      parts,
    };
  });
}
