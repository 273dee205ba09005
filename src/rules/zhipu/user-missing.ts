import { errorRule } from '../rule.js';
import { canAddUser, isOnlyReply, withOpening } from '../shared/ends.js';

export default errorRule({
  id: 'zhipu/user-missing',
  summary: 'a request without a message of the user',
  providers: ['zhipu', 'dashscope'],
  error: {
    zhipu:
      'messages 参数非法。请检查文档。 (1214) | ' +
      'The messages parameter is illegal. Please check the documentation.',
    dashscope:
      '<400> InternalError.Algo.InvalidParameter: The input messages do not contain elements with the role of user',
  },
  cause: 'A sliding window cut off the question, and only calls and results are left.',
  asRequest: true,
  reported: ['MetaGLM/zhipuai-sdk-python-v4#14', 'continuedev/continue#13259', 'agentscope-ai/agentscope-java#613'],
  *check({ transcript }) {
    const { messages } = transcript;
    if (isOnlyReply(transcript) || messages.some(({ role }) => role === 'user')) return;
    const message = messages.findIndex(({ role }) => role !== 'meta' && role !== 'system');
    if (message >= 0) yield { message, text: 'no message is from the user' };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add a user message, which says that the beginning was removed.',
    reaches: canAddUser,
    apply: ({ transcript }) => withOpening(transcript),
  },
});
