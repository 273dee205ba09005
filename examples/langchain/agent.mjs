// An agent of LangChain.js whose model calls are trimmed. MODEL=openai:gpt-5 asks a real model.
import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { trim } from 'ctx-trim/langchain';
import { createAgent, createMiddleware } from 'langchain';
import { z } from 'zod';

const trimmed = trim(['patch', { transform: 'filter', maxToolCalls: 3 }], {
  every: 1, // at each request, to see it in this short run; without it, when it pays
  onChange: ({ calls }) => console.log(`${calls.before} calls, ${calls.after} sent`),
});
const weather = tool(async ({ city }) => `Rain in ${city}.`, {
  name: 'weather',
  schema: z.object({ city: z.string() }),
});
const agent = createAgent({
  model: process.env.MODEL ?? fakeModel(),
  tools: [weather],
  middleware: [createMiddleware(trimmed)],
});
const question = 'What is the weather in Tokyo, Lima, Oslo, Rome, Cairo and Quito? Ask for one city at a time.';
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] }, { recursionLimit: 100 });
console.log(messages.at(-1).text);

function fakeModel() {
  const cities = ['Tokyo', 'Lima', 'Oslo', 'Rome', 'Cairo', 'Quito'];
  const model = new FakeListChatModel({ responses: [''] });
  model.bindTools = () => model;
  model._generate = async () => {
    const city = cities.shift();
    const call = { id: `call_${city}`, name: 'weather', args: { city }, type: 'tool_call' };
    const message = new AIMessage(city === undefined ? 'It rains everywhere.' : { content: '', tool_calls: [call] });
    return { generations: [{ text: message.text, message }] };
  };
  return model;
}
