import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { bodyFix, changeOf } from '../shared/request.js';

export default errorRule({
  id: 'request/tools-empty',
  summary: 'an empty list of tools',
  providers: ['openai-chat', 'azure', 'dashscope', 'github-copilot'],
  alone: true,
  asRequest: true,
  error: {
    'openai-chat azure github-copilot':
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    dashscope: "[] is too short - 'tools'",
  },
  cause: 'The client always sends the field, also when no tool is enabled.',
  reported: ['JetBrains/koog#786', 'QwenLM/qwen-code#2054'],
  *check(context) {
    const body = bodyOf(context);
    for (const key of ['tools', 'functions']) {
      const list = body?.get(key);
      if (body !== undefined && list?.isArray && list.length === 0)
        yield {
          message: undefined,
          node: list,
          text: `\`${key}\` is an empty array`,
          changes: changeOf(body, { [key]: undefined }),
        };
    }
  },
  fix: bodyFix('safe', 'Remove the empty list.'),
});
