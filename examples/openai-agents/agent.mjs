// An agent of the OpenAI Agents SDK whose model calls are trimmed. MODEL=gpt-5 asks a real model: that needs the package
// @openai/agents, which brings the models of OpenAI.
import { Agent, Runner, tool, Usage } from '@openai/agents-core';
import { trim } from 'ctx-trim/openai-agents';
import { z } from 'zod';

const { model } = trim(['patch', { transform: 'filter', maxToolCalls: 3 }], {
  every: 1, // at each request, to see it in this short run; without it, when it pays
  onChange: ({ calls }) => console.log(`${calls.before} calls, ${calls.after} sent`),
});
const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `Rain in ${city}.`,
});
const agent = new Agent({ name: 'agent', tools: [weather], model: model(await chosenModel(process.env.MODEL)) });
const question = 'What is the weather in Tokyo, Lima, Oslo, Rome, Cairo and Quito? Ask for one city at a time.';
const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, question, { maxTurns: 20 });
console.log(finalOutput);

async function chosenModel(name) {
  if (name === undefined) return fakeModel();
  const { OpenAIProvider } = await import('@openai/agents');
  return new OpenAIProvider().getModel(name);
}

function fakeModel() {
  const cities = ['Tokyo', 'Lima', 'Oslo', 'Rome', 'Cairo', 'Quito'];
  const said = { type: 'message', role: 'assistant', status: 'completed' };
  const answer = { ...said, content: [{ type: 'output_text', text: 'It rains everywhere.' }] };
  const call = (city) => ({
    type: 'function_call',
    callId: `call_${city}`,
    name: 'weather',
    status: 'completed',
    arguments: JSON.stringify({ city }),
  });
  return {
    getResponse: async () => {
      const city = cities.shift();
      return { usage: new Usage(), output: [city === undefined ? answer : call(city)] };
    },
    async *getStreamedResponse() {},
  };
}
