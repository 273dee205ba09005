import { generateText, type LanguageModel, streamText, type ToolSet, wrapLanguageModel } from 'ai';
import { policyNamed } from 'ctx-trim';
import { guard, trim } from 'ctx-trim/ai-sdk';

export async function ask(model: Exclude<LanguageModel, string>, tools: ToolSet) {
  const { prepareStep, middleware } = trim(['patch', { transform: 'filter', maxToolCalls: 3 }], { every: 20 });
  const guarded = guard(policyNamed('query-history')!).tools(tools);
  const { text } = await generateText({ model, prompt: 'Hello', prepareStep, tools: guarded });
  streamText({ model: wrapLanguageModel({ model: model as never, middleware }), prompt: text });
}
