/** Texts in a record without messages, under the names that APIs for prompts and completions give them. */
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import type { Sign } from './signs.js';

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html (2026-11-30). `instruction` is that of
 * Alpaca: https://github.com/tatsu-lab/stanford_alpaca
 */
const TEXTS = new Keys(['prompt', 'inputText', 'outputText', 'generation', 'completion', 'instruction']);

export function bareTexts(root: JsonNode): Sign[] {
  const signs: Sign[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const at of node.find(TEXTS)) {
      const value = node.nodeAt(at);
      // a label or a key is a single word
      if (value?.isString && /\S\s+\S/.test(value.text)) signs.push({ kind: 'text', node: value });
    }
    for (const item of node.items()) pending.push(item);
    for (const { value } of node.members()) pending.push(value);
  }
  return signs;
}
