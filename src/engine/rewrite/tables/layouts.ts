/** Where things stand in the messages of the formats that have tables. Others are read message by message. */
import type { Tabler } from './add.js';
import { createTabler, type MessageLayout } from './fill.js';
import { createItemsTabler } from './items.js';
import { createPartsTabler } from './parts.js';

const ANTHROPIC = {
  roles: { user: 'user', assistant: 'assistant' },
  inputs: ['input', ''],
  flag: 'is_error',
  blocks: {
    text: { is: 'text', key: 'text' },
    tool_use: { is: 'call', key: 'id' },
    tool_result: { is: 'result', key: 'tool_use_id' },
    thinking: { is: 'thought', key: 'thinking' },
    redacted_thinking: { is: 'thought', key: 'data' },
  },
} as const satisfies Omit<MessageLayout, 'members'>;

/** In the lines of a log, which name their models. */
export const anthropicLines = createTabler({ ...ANTHROPIC, members: { content: 'content' } });

export const responseItems = createItemsTabler({
  roles: { system: 'system', developer: 'system', user: 'user', assistant: 'assistant' },
  items: {
    message: 'message',
    reasoning: 'thought',
    function_call: 'call',
    custom_tool_call: 'call',
    function_call_output: 'result',
    custom_tool_call_output: 'result',
  },
  id: 'call_id',
  inputs: ['arguments', 'input'],
  content: 'content',
  output: 'output',
  thoughts: ['summary', 'content'],
  texts: ['input_text', 'output_text', 'text'],
});

/** By the id of the format. */
export const tablers: ReadonlyMap<string, Tabler> = new Map([
  [
    'openai-chat',
    createTabler({
      roles: { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', tool: 'tool' },
      members: {
        content: 'content',
        tool_calls: 'calls',
        tool_call_id: 'answers',
        refusal: 'words',
        name: 'string',
        function_call: 'absent',
        images: 'absent',
        // the model of a request may be read from these
        extra: 'absent',
        raw_data: 'absent',
        usage: 'absent',
      },
      called: 'function',
      inputs: ['arguments', 'input'],
      blocks: { text: { is: 'text', key: 'text' } },
    }),
  ],
  [
    'anthropic-messages',
    createTabler({
      ...ANTHROPIC,
      members: {
        content: 'content',
        // the model of a request may be read from these
        model: 'absent',
        modelInfo: 'absent',
        usage: 'absent',
      },
    }),
  ],
  ['openai-responses', responseItems],
  [
    'gemini-contents',
    createPartsTabler({
      roles: { user: 'user', model: 'assistant', function: 'user', system: 'system' },
      parts: 'parts',
      absent: ['modelVersion', 'model_version'], // the model of a request may be read from these
      call: ['functionCall', 'function_call'],
      result: ['functionResponse', 'function_response'],
      input: 'args',
      answer: 'response',
      texts: ['output', 'error', 'result', 'content', 'return_value'],
      error: 'error',
    }),
  ],
]);
