import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { policyNamed } from 'ctx-trim';
import { guard, trim } from 'ctx-trim/langchain';
import { createAgent, createMiddleware } from 'langchain';

export async function ask(model: BaseChatModel) {
  const trimmed = createMiddleware(trim(['patch', { transform: 'filter', maxToolCalls: 3 }], { every: 20 }));
  const guarded = createMiddleware(guard(policyNamed('query-history')!));
  const agent = createAgent({ model, tools: [], middleware: [trimmed, guarded] });
  return agent.invoke({ messages: [{ role: 'user', content: 'Hello' }] });
}
