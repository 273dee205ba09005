/** Mastra: a processor that trims what a model is sent. Mastra does not store what a processor returns here. */
import format from '../formats/vercel/vercel-model.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';

export { guard } from '../guards/mastra.js';

/** What this needs of a request: a prompt of the AI SDK, version 2. */
export interface LlmRequest<M extends object> {
  readonly prompt: M[];
  readonly model?: { readonly modelId?: string };
}

/**
 * A processor that sends trimmed prompts: `new Agent({ …, inputProcessors: [trim(steps)] })`. Throws TranscriptError
 * for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const trimmed = createTrimmer(format, steps, options, { needsReasoning: true });
  return {
    id: 'ctx-trim' as const,
    name: 'ctx-trim',
    /** Nothing if the prompt stays as it is. */
    async processLLMRequest<M extends object>({ prompt, model }: LlmRequest<M>): Promise<{ prompt: M[] } | undefined> {
      const after = await trimmed(prompt, model?.modelId);
      return after === prompt ? undefined : { prompt: after };
    },
  };
}
