import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { LIMITS, type LimitRow } from '../shared/parameter-limits.js';
import { holderAt } from '../shared/parameters.js';
import { bodyFix, changeOf, modelOf, valueAt } from '../shared/request.js';

export default errorRule({
  id: 'request/parameter-range',
  summary: 'a parameter that is too small, too large or too long',
  providers: [...new Set(LIMITS.flatMap(({ providers }) => providers))],
  alone: true,
  asRequest: true,
  error: {
    'anthropic vertex-claude':
      'max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101',
    'openai-chat azure github-copilot':
      'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided ' +
      '32000.',
    deepseek: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    'bedrock bedrock-llama':
      'The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that ' +
      'is lower than 4096.',
    'openai-chat azure github-copilot openai-responses':
      "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead. | " +
      "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with " +
      'length 69 instead.',
  },
  cause: 'The value was meant for another model or another API, or a key was put together of several ids.',
  reported: commaList(`
    anthropics/claude-code#24451, enoch3712/ExtractThinker#346, musistudio/claude-code-router#1249,
    RooCodeInc/Roo-Code#248, vybestack/llxprt-code#2135
  `),
  *check(context) {
    const body = bodyOf(context);
    if (body === undefined) return;
    const model = modelOf(context, body);
    const seen = new Set<string>();
    for (const row of LIMITS.filter(({ providers }) => providers.includes(context.provider.id)))
      for (const path of row.models?.test(model) === false ? [] : row.paths) {
        const node = valueAt(body, path);
        if (node === undefined || seen.has(path)) continue;
        seen.add(path);
        const bound = boundOf(node, row);
        const [holder, key] = holderAt(body, path);
        if (bound !== undefined)
          yield {
            message: undefined,
            node,
            text: `\`${path}\` ${bound}`,
            changes: changeOf(holder, { [key]: within(node, row) }),
          };
      }
  },
  fix: bodyFix('lossy', 'Set it to what is allowed, or cut it.'),
});

function sizeOf(node: JsonNode): number | undefined {
  return node.number ?? node.string?.length ?? (node.isArray ? node.length : undefined);
}

function boundOf(node: JsonNode, { least, most, isBelow }: LimitRow): string | undefined {
  const size = sizeOf(node);
  const what = node.number === undefined ? `has the length ${size}` : `is ${size}`;
  if (size === undefined) return undefined;
  if (size > most || (isBelow && size === most))
    return `${what}; ${isBelow ? 'less than' : 'at most'} ${most} is allowed`;
  return least !== undefined && size < least ? `${what}; at least ${least} is needed` : undefined;
}

function within(node: JsonNode, { least = 0, most, isBelow }: LimitRow): Json {
  if (node.string !== undefined) return node.string.slice(0, most);
  if (node.isArray) return node.items().slice(0, most);
  return Math.max(least, Math.min(node.number!, isBelow ? most - 0.01 : most));
}
