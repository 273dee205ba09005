import { defineCommand } from '../../options/command.js';
import { simulateOptions } from './options.js';

export default defineCommand({
  id: 'simulate',
  group: 'plan',
  summary: 'replay a recording under a policy: requests, cache, cost',
  description:
    'Replays a recording request by request, applies steps to the history before each request as an agent would, ' +
    'and shows the tokens sent, cache reads, cache writes and cost of every request, with and without the policy. ' +
    'Steps are written as for `ctx-trim run`. The context editing of servers is a step, too: ' +
    'clear_tool_uses_20250919 and clear_thinking_20251015 (Anthropic), truncation_auto (OpenAI). Such a step sees ' +
    'the whole context. If the recording holds usage, the replay starts with the cache of that time, misses where ' +
    'the recording missed, and is compared with it. Prompts that stay above the budget of fit are counted (exit 1).',
  words: '[steps-and-files...]',
  about: 'steps or pipelines, then files, folders or globs; stdin if omitted or -',
  options: simulateOptions,
  examples: [
    ['ctx-trim simulate filter:max-tool-calls=3 session.jsonl', 'would keeping three calls have been cheaper?'],
    ['ctx-trim simulate --sweep max-tool-calls=0..10 logs/', 'which limit is best for a folder of recordings?'],
    [
      'ctx-trim simulate filter:max-tool-calls=10 --sweep every=1,5,10,20 logs/',
      'how often may history change before the prompt cache costs more than it saves?',
    ],
    ['ctx-trim simulate clear_tool_uses_20250919:keep=5 session.jsonl', "what Anthropic's context editing would cost"],
    ['ctx-trim simulate --retries 3 --model gpt-4o run.json', 'the cost of retries, with and without strip'],
  ],
  run: async (...given) => (await import('./run.js')).runSimulate(...given),
});
