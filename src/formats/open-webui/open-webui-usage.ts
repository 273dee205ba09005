/**
 * Usage as Open WebUI keeps it of OpenAI, Ollama and llama.cpp. Since it sums the requests of a message, `input_tokens`
 * and `output_tokens` are sums, and `prompt_tokens` and `completion_tokens` those of the last request.
 * https://github.com/open-webui/open-webui/blob/main/backend/open_webui/utils/response.py (2026-11-30)
 */
import type { JsonNode } from '../../json/node.js';
import type { Usage } from '../../transcript/types.js';
import { present } from '../shared/json-fields.js';
import { chatUsage, responsesUsage, tokens, usageFromTotals } from '../shared/recorded.js';

export function usageIn(message: JsonNode): { readonly usage: Usage | undefined; readonly isSum: boolean } {
  const info = present(message, 'info');
  const usage = present(message, 'usage') ?? (info && (present(info, 'usage') ?? info));
  const [input, output] = [tokens(usage, 'input_tokens'), tokens(usage, 'output_tokens')];
  const [prompt, completion] = [tokens(usage, 'prompt_tokens'), tokens(usage, 'completion_tokens')];
  const differs = (sum: number | undefined, last: number | undefined) => last !== undefined && sum !== last;
  const isSum = input !== undefined && (differs(input, prompt) || differs(output, completion));
  if (isSum) return { usage: sumIn(usage!, input, output), isSum };
  const isResponses = ['input_tokens_details', 'output_tokens_details'].some((key) => usage?.get(key) !== undefined);
  const read = isResponses || prompt === undefined ? responsesUsage(usage) : chatUsage(usage);
  return { usage: read ?? serverUsage(usage), isSum };
}

function sumIn(usage: JsonNode, input: number, output: number | undefined): Usage | undefined {
  const inDetail = (keys: readonly string[], key: string) =>
    keys.map((details) => tokens(usage.get(details), key)).find((count) => count !== undefined);
  return usageFromTotals(input, output, {
    cacheRead: inDetail(['prompt_tokens_details', 'input_tokens_details'], 'cached_tokens') ?? 0,
    reasoning: inDetail(['completion_tokens_details', 'output_tokens_details'], 'reasoning_tokens') ?? 0,
  });
}

/** Of Ollama, or of llama.cpp. */
function serverUsage(usage: JsonNode | undefined): Usage | undefined {
  const first = (...keys: readonly string[]) => keys.map((key) => tokens(usage, key)).find((one) => one !== undefined);
  return usageFromTotals(first('prompt_eval_count', 'prompt_n'), first('eval_count', 'predicted_n'));
}
