/** Items of the OpenAI Responses API. */

import { table } from '../../formats/shared/table.js';
import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { withMessages } from '../../transcript/edit.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { OPENAI_MODELS } from '../providers.js';
import type { RuleContext } from '../rule.js';
import { settingOf } from './own-format.js';

export interface Item {
  /** The index of its message. */
  readonly index: number;
  readonly message: Message;
  readonly json: JsonNode;
  readonly type: string;
  readonly id: string | undefined;
}

/** The prefixes of server ids, by item type. Ids are optional. */
export const ID_PREFIXES = table<string>({
  message: 'msg',
  function_call: 'fc',
  reasoning: 'rs',
  custom_tool_call: 'ctc',
});

/** Empty where the recording is in another format. */
export function itemsOf({ transcript, wire }: RuleContext): Item[] {
  return transcript.messages.flatMap((message, index) => {
    const json = wire(message);
    return json === undefined ? [] : { index, message, json, type: typeOf(json), id: json.get('id')?.string };
  });
}

/** Whether another server (such as vLLM) made and accepted the ids. They matter only when they are sent to OpenAI. */
export function hasForeignIds({ transcript: { model }, asRequest }: RuleContext): boolean {
  return !asRequest && model !== undefined && !OPENAI_MODELS.test(model.slice(model.lastIndexOf('/') + 1));
}

/** Whether earlier items are stored on the server and not in the history. */
export function continuesOnServer(context: RuleContext): boolean {
  return ['previous_response_id', 'conversation'].some((key) => settingOf(context, key) !== undefined);
}

/** Removes these reasoning items or references, and the ids of the items after them, which would require them. */
export function withoutReasoning(context: RuleContext, removed: ReadonlySet<number>): Transcript {
  const { transcript, wire } = context;
  let isLed = false;
  const messages = transcript.messages.flatMap((message, index) => {
    if (removed.has(index)) {
      isLed = true;
      return [];
    }
    if (message.role === 'meta') return message;
    const type = typeOf(wire(message));
    if (message.role !== 'assistant' || type === 'reasoning') isLed = false;
    return isLed && type in ID_PREFIXES ? withoutId(context, message) : message;
  });
  return withMessages(transcript, messages);
}

export function withoutId({ wire, rewire }: RuleContext, message: Message): Message {
  const json = wire(message);
  return json?.get('id') === undefined ? message : rewire(message, patch(json, { id: undefined }));
}

function typeOf(json: JsonNode | undefined): string {
  return json?.get('type')?.string ?? 'message';
}
