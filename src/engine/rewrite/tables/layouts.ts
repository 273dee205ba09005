/** Where things stand in the messages of the formats that have tables. Others are read message by message. */
import { createTabler, type Tabler } from './fill.js';

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
      roles: { user: 'user', assistant: 'assistant' },
      members: {
        content: 'content',
        // the model of a request may be read from these
        model: 'absent',
        modelInfo: 'absent',
        usage: 'absent',
      },
      inputs: ['input', ''],
      flag: 'is_error',
      blocks: {
        text: { is: 'text', key: 'text' },
        tool_use: { is: 'call', key: 'id' },
        tool_result: { is: 'result', key: 'tool_use_id' },
        thinking: { is: 'thought', key: 'thinking' },
        redacted_thinking: { is: 'thought', key: 'data' },
      },
    }),
  ],
]);
