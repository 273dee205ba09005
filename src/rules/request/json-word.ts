import { withMessages } from '../../transcript/edit.js';
import { errorRule } from '../rule.js';
import { bodyOf, listOf } from '../shared/own-format.js';
import { valueAt } from '../shared/request.js';
import { continuesOnServer } from '../shared/response-items.js';

export default errorRule({
  id: 'request/json-word',
  summary: 'JSON is asked for, and no message says so',
  providers: ['openai-chat', 'azure', 'openai-responses', 'deepseek', 'dashscope'],
  alone: true,
  asRequest: true,
  error: {
    'openai-chat azure dashscope':
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    deepseek: "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
    'openai-responses':
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
  },
  // DashScope: https://help.aliyun.com/zh/model-studio/developer-reference/error-code, 2026-11
  cause: 'A client turns JSON mode on by itself, and the prompt was not written for it.',
  reported: ['meta-llama/PurpleLlama#94', 'yubing744/trading-gpt#75'],
  /** What a prompt on the server says is not known; what stands beside the messages may count. */
  *check(context) {
    const body = bodyOf(context);
    const list = listOf(body);
    const node = valueAt(body, 'response_format.type') ?? valueAt(body, 'text.format.type');
    if (list === undefined || node?.string !== 'json_object' || continuesOnServer(context)) return;
    const said = [list, ...['instructions', 'prompt'].map((key) => body!.get(key))];
    if (!said.some((one) => /json/i.test(one?.json ?? '')))
      yield { message: undefined, node, text: 'no message has the word JSON, which the API wants for this format' };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add a system message that asks for JSON.',
    apply: ({ transcript }) =>
      withMessages(transcript, [
        { role: 'system', parts: [{ type: 'text', text: 'Answer in JSON.' }] },
        ...transcript.messages,
      ]),
  },
});
