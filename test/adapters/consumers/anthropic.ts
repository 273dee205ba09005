import Anthropic from '@anthropic-ai/sdk';
import { trim } from 'ctx-trim/anthropic';

export async function ask(messages: Anthropic.MessageParam[]) {
  const { request } = trim(['patch', { transform: 'filter', maxToolCalls: 3 }], { every: 20 });
  const client = new Anthropic();
  return client.messages.create(await request({ model: 'claude-sonnet-4-5', max_tokens: 1000, messages }));
}
