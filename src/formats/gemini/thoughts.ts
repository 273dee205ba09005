/**
 * The output with the thoughts, which Gemini's candidates exclude. Qwen Code writes figures of OpenAI under Gemini's
 * names, in which they include them: the total shows that.
 * https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/core/openaiContentGenerator/converter.ts
 */
export function withThoughts(
  candidates: number,
  { prompt, thoughts, total }: { prompt: number; thoughts: number; total: number | undefined },
): number {
  return total === prompt + candidates ? candidates : candidates + thoughts;
}
