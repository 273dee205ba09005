import { patch } from '../../json/edit.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';

export default errorRule({
  id: 'chat/role-unsupported',
  summary: 'the role `developer`, which only OpenAI has',
  providers: ['deepseek', 'dashscope', 'mistral', 'moonshot', 'zhipu', 'minimax', 'cohere'],
  error: {
    deepseek:
      'Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, ' +
      'expected one of `system`, `user`, `assistant`, `tool`, `latest_reminder`',
    dashscope: "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.0.role'",
    mistral:
      "Input tag 'developer' found using 'role' does not match any of the expected tags: 'assistant', 'system', " +
      "'tool', 'user'",
    moonshot: 'invalid request: unsupported role ROLE_UNSPECIFIED',
    zhipu: '角色信息不正确 (Incorrect role information)',
    minimax: 'invalid params, chat content has invalid message role: developer (2013)',
  },
  cause: 'The client took the model for one of OpenAI’s reasoning models, whose system prompts have this role.',
  reported: commaList(`
    earendil-works/pi#1048, proma-ai/Proma#1496, haru/redmine_ai_helper#242, openclaw/openclaw#21060,
    openclaw/openclaw#23115, eclipse-theia/theia#15144, agno-agi/agno#1967
  `),
  *check({ transcript: { messages }, wire }) {
    for (const [message, found] of messages.entries()) {
      const role = wire(found)?.get('role');
      if (role?.string === 'developer')
        yield { message, node: role, text: 'the role is "developer"; the API has "system" instead' };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Make it a system message.',
    apply: (context, problems) =>
      mapProblemMessages(context, problems, (message) =>
        context.rewire(message, patch(context.wire(message)!, { role: 'system' })),
      ),
  },
});
