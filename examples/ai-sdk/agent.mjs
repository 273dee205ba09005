// An agent of the AI SDK whose model calls are trimmed. MODEL=openai/gpt-5 asks a real model through the AI gateway.
import { generateText, stepCountIs } from 'ai';
import { trim } from 'ctx-trim/ai-sdk';
import { z } from 'zod';

const { prepareStep } = trim(['patch', { transform: 'filter', maxToolCalls: 3 }], {
  every: 1, // at each request, to see it in this short run; without it, when it pays
  onChange: ({ calls }) => console.log(`${calls.before} calls, ${calls.after} sent`),
});
const weather = { inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `Rain in ${city}.` };
const { text } = await generateText({
  model: process.env.MODEL ?? fakeModel(),
  prompt: 'What is the weather in Tokyo, Lima, Oslo, Rome, Cairo and Quito? Ask for one city at a time.',
  tools: { weather },
  stopWhen: stepCountIs(20),
  prepareStep,
});
console.log(text);

function fakeModel() {
  const cities = ['Tokyo', 'Lima', 'Oslo', 'Rome', 'Cairo', 'Quito'];
  const doGenerate = async () => {
    const city = cities.shift();
    const call = {
      type: 'tool-call',
      toolCallId: `call_${city}`,
      toolName: 'weather',
      input: JSON.stringify({ city }),
    };
    return {
      content: [city === undefined ? { type: 'text', text: 'It rains everywhere.' } : call],
      finishReason: { unified: city === undefined ? 'stop' : 'tool-calls' },
      usage: { inputTokens: {}, outputTokens: {} },
      warnings: [],
    };
  };
  return { specificationVersion: 'v3', provider: 'fake', modelId: 'fake', supportedUrls: {}, doGenerate };
}
