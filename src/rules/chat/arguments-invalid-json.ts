import { commaList } from '../../lists.js';
import { mapMessages, mapParts } from '../../transcript/edit.js';
import { textOf } from '../../transcript/text.js';
import type { Part, ResultPart } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { isFreeText } from '../shared/calls.js';
import { isUnsentReply } from '../shared/ends.js';

export default errorRule({
  id: 'chat/arguments-invalid-json',
  summary: 'arguments that are not a JSON object',
  providers: ['openai-compatible', 'minimax', 'github-copilot', 'dashscope', 'mistral', 'moonshot', 'zhipu', 'cohere'],
  error: {
    'openai-compatible': 'messages.70.tool_calls.0.function.arguments: arguments must be a valid JSON object string',
    dashscope:
      '<400> InternalError.Algo.InvalidParameter: The "function.arguments" parameter of the code model must be in ' +
      'JSON format.',
    mistral: 'Invalid arguments JSON',
  },
  cause: 'The stream broke off, the model wrote invalid JSON, a scalar or a list, or it left the arguments empty.',
  reported: commaList(`
    local-inference-lab/vllm#684, NVIDIA-NeMo/Gym#3474, sgl-project/sglang#28035, justrach/codegraff#752,
    ggml-org/llama.cpp#25583, HKUDS/nanobot#2858, microsoft/vscode#268550, sigoden/aichat#779, HKUDS/nanobot#1487,
    alibaba/spring-ai-alibaba#4533
  `),
  *check(context) {
    for (const { part, message } of context.pairing.calls) {
      const fault = isFreeText(part) || isUnsentReply(context, message) ? undefined : faultOf(textOf(part.input));
      if (fault !== undefined)
        yield {
          message,
          part,
          callId: part.callId,
          text: `the arguments of the call of ${part.tool || 'a tool'} are ${fault}`,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace them with an empty object, and append the original text to the result.',
    apply({ transcript, pairing }, problems) {
      const bad = new Set(problems.map(({ part }) => part));
      const others = new Map<Part, Part>();
      for (const { part, results } of pairing.calls) {
        if (!bad.has(part)) continue;
        others.set(part, { ...part, input: '{}' });
        const [result] = results;
        const original = textOf(part.input).trim();
        if (result !== undefined && original !== '')
          others.set(result.part, withNote(result.part, ` (original arguments: ${original})`));
      }
      return mapMessages(transcript, (message) => mapParts(message, (part) => others.get(part) ?? part));
    },
  },
});

function faultOf(input: string): string | undefined {
  if (input.trim() === '') return 'empty';
  try {
    const value: unknown = JSON.parse(input);
    return value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? undefined
          : `a ${typeof value}`;
  } catch {
    return 'not valid JSON';
  }
}

function withNote(result: ResultPart, note: string): ResultPart {
  const last = result.content.at(-1);
  if (last?.type !== 'text') return { ...result, content: [...result.content, { type: 'text', text: note.trim() }] };
  return { ...result, content: [...result.content.slice(0, -1), { ...last, text: textOf(last.text) + note }] };
}
