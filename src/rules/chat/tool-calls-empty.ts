import { patch } from '../../json/edit.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { isUnsentReply } from '../shared/ends.js';

export default errorRule({
  id: 'chat/tool-calls-empty',
  summary: 'an empty list of tool calls',
  providers: ['openai-chat'],
  error:
    "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty " +
    'array instead. (code empty_array)',
  cause: 'A serializer writes `tool_calls: []` for plain replies, or a repair removed the last call.',
  reported: commaList(`
    openai/openai-node#1341, chatboxai/chatbox#2079, home-assistant/core#118577, BigSweetPotatoStudio/HyperChat#115,
    smallmain/vscode-unify-chat-provider#65, mlflow/mlflow#14410
  `),
  *check(context) {
    const { transcript, wire } = context;
    for (const [index, message] of transcript.messages.entries()) {
      const calls = wire(message)?.get('tool_calls');
      if (calls?.isArray && calls.length === 0 && !isUnsentReply(context, index))
        yield { message: index, node: calls, text: '`tool_calls` is an empty list' };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the empty list.',
    apply(context, problems) {
      const { wire, rewire } = context;
      return mapProblemMessages(context, problems, (message) =>
        rewire(message, patch(wire(message)!, { tool_calls: undefined })),
      );
    },
  },
});
