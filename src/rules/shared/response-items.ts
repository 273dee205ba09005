/** Items of OpenAI Responses, as the rules about them look at them. */

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

/** How the server's ids of these items begin. The items are read without an id too. */
export const ID_PREFIXES = table<string>({
  message: 'msg',
  function_call: 'fc',
  reasoning: 'rs',
  custom_tool_call: 'ctc',
});

/** None where the recording is in another format. */
export function itemsOf({ transcript, wire }: RuleContext): Item[] {
  return transcript.messages.flatMap((message, index) => {
    const json = wire(message);
    return json === undefined ? [] : { index, message, json, type: typeOf(json), id: json.get('id')?.string };
  });
}

/**
 * Whether the items have ids that another server gave and took: vLLM and its like answer in this format. That matters once they are sent
 * to OpenAI.
 */
export function hasForeignIds({ transcript: { model }, asRequest }: RuleContext): boolean {
  return !asRequest && model !== undefined && !OPENAI_MODELS.test(model.slice(model.lastIndexOf('/') + 1));
}

/** Whether earlier items are kept by the server and not in the history. */
export function goesOnFromServer(subject: RuleContext): boolean {
  return ['previous_response_id', 'conversation'].some((key) => settingOf(subject, key) !== undefined);
}

/** Without these items of reasoning, or references to such, and without the ids of what they led to: those ask for them. */
export function withoutReasoning(subject: RuleContext, gone: ReadonlySet<number>): Transcript {
  const { transcript, wire } = subject;
  let isLed = false;
  const messages = transcript.messages.flatMap((message, index) => {
    if (gone.has(index)) {
      isLed = true;
      return [];
    }
    if (message.role === 'meta') return message;
    const type = typeOf(wire(message));
    if (message.role !== 'assistant' || type === 'reasoning') isLed = false;
    return isLed && type in ID_PREFIXES ? withoutId(subject, message) : message;
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
