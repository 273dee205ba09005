/** The built-in policy: a costly tool that looks up past talk, which models like to call where a file tool would do. */
import { commaList } from '../../lists.js';
import type { Policy } from '../types.js';
import { prompts } from './prompts.js';
import { intents, words } from './words.js';

const FILE_TOOLS = ['read_file', 'list_files', 'search_code'];

export const queryHistory: Policy = {
  version: 1,
  name: 'query-history',
  currency: 'CNY',
  words,
  intents,
  tools: {
    query_history: {
      cost: { usual: 0.003, min: 0.002, max: 0.005 },
      args: { type: 'object', properties: { time_range: { enum: ['recent', 'all'] } } },
      instead: FILE_TOOLS,
    },
  },
  rules: [
    {
      id: 'past-talk-only',
      type: 'decision',
      tool: 'query_history',
      explicit: ['explicit'],
      for: ['history'],
      against: ['current'],
      instead: FILE_TOOLS,
    },
    {
      id: 'one-source',
      type: 'exclusive',
      tools: ['query_history', ...FILE_TOOLS],
      tool: 'query_history',
      reason: {
        en: 'past talk and the present state are two questions, to be answered one at a time',
        zh: '过去的对话和现状是两个问题，应当一次回答一个',
        ja: '過去の会話と現状は別々の問いなので、一度に一つずつ答えます',
      },
    },
    { id: 'arguments', type: 'args_valid', tool: 'query_history' },
    { id: 'abuse', type: 'violation_rate', of: '*', tool: 'query_history', max: 0.3, min_calls: 5 },
  ],
  examples: {
    allow: commaList(`
      我们之前讨论过 JWT 吗？, Show me the chat history, What did you say earlier about the database?,
      你说过要用哪个库？, さっき話した設計をもう一度教えてください, 会話履歴を検索してください
    `),
    deny: ['列出 src 目录', '当前的配置是什么', 'Rename the function', '現在の設定を見せてください'],
  },
  prompt: prompts,
};

/** The same policy where a message without any of its words is allowed, with a warning. */
export function lenient(policy: Policy): Policy {
  return {
    ...policy,
    rules: policy.rules.map((rule) => (rule.type === 'decision' ? { ...rule, mode: 'lenient' } : rule)),
  };
}
