import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { joinsPrevious, withJoined } from '../shared/neighbors.js';

export default errorRule({
  id: 'minimax/system-twice',
  summary: 'several system messages',
  providers: ['minimax'],
  error: 'invalid params, invalid chat setting (2013)',
  cause: 'The client sends the system prompt and its context as separate system messages.',
  reported: commaList(`
    MiniMax-AI/MiniMax-M2#51, openclaw/openclaw#19386, can1357/oh-my-pi#955, netease-youdao/LobsterAI#1
  `),
  *check({ transcript: { messages } }) {
    for (const [message, { role }] of messages.entries())
      if (role === 'system' && messages[message - 1]?.role === 'system')
        yield { message, text: 'a second system message' };
  },
  fix: {
    safety: 'safe',
    summary: 'Join the messages.',
    reaches: (context, { message }) => joinsPrevious(context, message!),
    apply: (context, problems) => withJoined(context, new Set(problems.map(({ message }) => message!))),
  },
});
