/** Reads the parts of UI messages of the Vercel AI SDK, in the spellings of versions 4 and 5. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, Part, ResultPart } from '../../transcript/types.js';
import { optionalObjects, present, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { table } from '../shared/table.js';
import { isErrorValue, mediaKind, readValue } from './ai-sdk.js';

/** The states in which a tool part has a result, and the member that holds the result. */
const RESULT_KEYS = table<string>({
  'output-available': 'output',
  'output-error': 'errorText',
  'output-denied': 'approval',
});
/** The states of a tool part whose call waits for the user, or runs next. */
const AWAITS_APPROVAL = new Set(['approval-requested', 'approval-responded']);
/** The states in which version 5 sends a call alone. Version 4 looks for the result. */
const OPEN = new Set([...AWAITS_APPROVAL, 'input-streaming', 'input-available', 'streaming']);
/** The members that may hold a call's arguments, by version and state. */
export const INPUT_KEYS = ['input', 'args', 'rawInput'];
/** Types of parts that the user sees; a model gets them only if the app converts them. */
const DISPLAY_ONLY = /^(?:source(?:-url|-document)?|data-.*)$/;

/** A message of version 4 without parts: `content` is the text of its last step. */
export function readVersion4(raw: JsonNode): Part[] {
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

/** A tool part as a call and its result, any other part as one part; none for the start of a step. */
export function readPart(part: JsonNode, path: string): Part[] {
  if (isStepStart(part)) return [];
  const type = stringIn(part.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || type === 'reasoning') {
    const text = textIn(part);
    return typeof text === 'string' || text?.isString
      ? [{ type: type === 'text' ? type : 'thinking', text, raw: part }]
      : wrongMember(text, part, `${path}.text`, 'a string');
  }
  const tool = toolOf(part);
  if (tool !== undefined && part.get('providerExecuted')?.boolean !== true) return readTool(tool, part, path);
  const kind = mediaKind(part);
  if (kind !== undefined) return [{ type: 'media', kind, raw: part }];
  return [DISPLAY_ONLY.test(type) ? { type: 'opaque', raw: part } : { type: 'opaque', text: part, raw: part }];
}

/**
 * The text of a part. Mastra leaves `reasoning` empty where `details` has the text, so as not to store it twice; these
 * are what version 4 sends.
 * https://github.com/mastra-ai/mastra/blob/main/packages/core/src/agent/message-list/index.ts
 */
export function textIn(part: JsonNode): JsonNode | string | undefined {
  const text = part.get('text') ?? part.get('reasoning');
  const details = detailsIn(part);
  if (details.length === 0 || (text !== undefined && text.string !== '')) return text;
  return details.length === 1 ? details[0]!.get('text')! : details.map((detail) => detail.get('text')!.text).join('');
}

/** The pieces of a thought in version 4 that have a text; others are encrypted. */
export function detailsIn(part: JsonNode): readonly JsonNode[] {
  const details = part.get('details');
  return details?.isArray ? details.items().filter((detail) => detail.get('text')?.isString) : [];
}

/** Whether a part marks where a step of the model begins: it is removed with the parts of the step. */
export function isStepStart(part: JsonNode): boolean {
  return part.get('type')?.string === 'step-start';
}

/** The tool value of a part: the part itself, or in version 4 the invocation inside it; undefined for other parts. */
export function toolOf(part: JsonNode): JsonNode | undefined {
  const invocation = part.get('toolInvocation');
  if (invocation?.isObject) return invocation;
  return part.get('toolCallId') !== undefined && /^(?:dynamic-tool$|tool-)/.test(part.get('type')?.string ?? '')
    ? part
    : undefined;
}

/** A call, and its result if there is one. A tool value without a name is a result whose call was removed. */
function readTool(tool: JsonNode, raw: JsonNode, path: string): Part[] {
  const callId = stringIn(tool.get('toolCallId'), `${path}.toolCallId`) ?? '';
  const name = toolNameOf(tool);
  const input = INPUT_KEYS.map((key) => tool.get(key)).find((found) => found !== undefined);
  const approval = AWAITS_APPROVAL.has(tool.get('state')?.string ?? '') ? { awaitsApproval: true } : {};
  const call: CallPart[] =
    name === undefined ? [] : [{ type: 'call', callId, tool: name, input: input ?? '{}', ...approval, raw }];
  return [...call, ...readResult(tool, callId, raw, path)];
}

/** The name of a tool: in its own member, or in the type `tool-<name>`. */
export function toolNameOf(tool: JsonNode): string | undefined {
  const type = tool.get('type')?.string;
  return type === undefined || type === 'dynamic-tool' ? tool.get('toolName')?.string : type.slice('tool-'.length);
}

/** The same for an invocation of version 4; Mastra also writes the states of version 5 into it. */
const VERSION_4_RESULT_KEYS = table<string>({
  result: 'result',
  'output-error': 'errorText',
  'output-denied': 'approval',
});

/** The member that holds the result of a tool part, if it has one: by its state; of an unknown state, what is there. */
export function resultKeyOf(tool: JsonNode): string | undefined {
  const state = tool.get('state')?.string ?? '';
  const isVersion4 = tool.get('type') === undefined;
  const key = (isVersion4 ? VERSION_4_RESULT_KEYS : RESULT_KEYS)[state];
  if (key !== undefined || OPEN.has(state)) return key;
  return [isVersion4 ? 'result' : 'output', 'errorText'].find((name) => present(tool, name) !== undefined);
}

function readResult(tool: JsonNode, callId: string, raw: JsonNode, path: string): ResultPart[] {
  const key = resultKeyOf(tool);
  if (key === undefined) return [];
  if (key === 'output' || key === 'result') {
    const isError = tool.get('isError')?.boolean === true || isErrorValue(tool.get(key));
    return [{ type: 'result', callId, content: readValue(tool.get(key)), isError, raw }];
  }
  const text = key === 'approval' ? tool.get(key)?.get('reason') : tool.get(key);
  if (stringIn(text, `${path}.${key}`) === undefined)
    return [{ type: 'result', callId, content: [], isError: true, raw }];
  return [{ type: 'result', callId, content: [{ type: 'text', text: text!, raw: text }], isError: true, raw }];
}
