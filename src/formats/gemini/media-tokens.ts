/** Gemini's counts by modality. https://ai.google.dev/api/generate-content#UsageMetadata */
import type { JsonNode } from '../../json/node.js';
import type { Usage } from '../../transcript/types.js';
import { type MediaName, withMedia } from '../shared/media-tokens.js';
import { isCount } from '../shared/recorded.js';

const PROMPT = ['promptTokensDetails', 'toolUsePromptTokensDetails'];
const CACHED = ['cacheTokensDetails'];
const OUTPUT = ['candidatesTokensDetails', 'responseTokensDetails'];

/** Such counts are ASCII. */
const OTHER_THAN_TEXT = /"(?:AUDIO|IMAGE|VIDEO)"/;

/** The usage with its tokens of audio, images and video. */
export function withGeminiMedia(usage: Usage, counts: JsonNode): Usage {
  if (!OTHER_THAN_TEXT.test(counts.text)) return usage;
  return withMedia(usage, (name) => [
    sumOf(counts, PROMPT, name),
    sumOf(counts, CACHED, name),
    sumOf(counts, OUTPUT, name),
  ]);
}

/** Undefined without such a list. Keys are in camelCase or snake_case. */
function sumOf(counts: JsonNode, lists: readonly string[], name: MediaName): number | undefined {
  const items = lists.flatMap((key) => (counts.get(key) ?? counts.get(snakeCase(key)))?.items() ?? []);
  const own = items.filter((item) => item.get('modality')?.string === name.toUpperCase());
  const figures = own.map((item) => (item.get('tokenCount') ?? item.get('token_count'))?.number);
  return items.length === 0 ? undefined : figures.filter(isCount).reduce((sum, count) => sum + count, 0);
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
