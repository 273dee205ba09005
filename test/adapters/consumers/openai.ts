import { trim } from 'ctx-trim/openai';
import OpenAI from 'openai';

export async function ask(
  messages: OpenAI.Chat.ChatCompletionMessageParam[],
  input: OpenAI.Responses.ResponseInputItem[],
) {
  const { request } = trim(['patch', { transform: 'filter', maxToolCalls: 3 }], { every: 20 });
  const client = new OpenAI();
  await client.responses.create(await request({ model: 'gpt-5', input }));
  return client.chat.completions.create(await request({ model: 'gpt-5', messages }));
}
