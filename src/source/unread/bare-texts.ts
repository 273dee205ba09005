/** Texts in a record without messages: a bare one, a lone content, or under names of prompts and completions. */
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import type { Sign } from './signs.js';

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html (2026-11-30). `instruction` is that of
 * Alpaca: https://github.com/tatsu-lab/stanford_alpaca
 */
const TEXTS = new Keys(['prompt', 'inputText', 'outputText', 'generation', 'completion', 'instruction']);

/** Nothing says what a row with such a text is. */
const LONE = new Keys(['content', 'text', 'message', 'role', 'type']);

export function bareTexts(root: JsonNode): Sign[] {
  const signs = loneTexts(root);
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const at of node.find(TEXTS)) {
      const value = node.nodeAt(at);
      if (isWords(value)) signs.push({ kind: 'text', node: value });
    }
    for (const item of node.items()) pending.push(item);
    for (const { value } of node.members()) pending.push(value);
  }
  return signs;
}

function loneTexts(row: JsonNode): Sign[] {
  const [content, text, message, ...telling] = row.find(LONE);
  const members = telling.some((at) => at >= 0) ? [] : [content, text, message].map((at) => row.nodeAt(at!));
  return [row, ...row.items(), ...members].filter(isWords).map((node) => ({ kind: 'text', node }));
}

/** A label or a key is a single word. */
function isWords(value: JsonNode | undefined): value is JsonNode {
  return value?.isString === true && /\S\s+\S/.test(value.text);
}
