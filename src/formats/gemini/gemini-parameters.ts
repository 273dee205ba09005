/** Parameters of a request. As of January 2026: https://ai.google.dev/api/generate-content#generationconfig */
import type { ParameterTable } from '../shared/parameters.js';
import { mode } from '../shared/tool-choice.js';

/** Where a setting stands: in a request of the API, and in the arguments of the SDKs, in both spellings. */
function setting(...names: readonly string[]): readonly string[] {
  const spellings = names.flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);
  return ['generationConfig', 'generation_config', 'config'].flatMap((holder) =>
    [...new Set(spellings)].map((name) => `${holder}.${name}`),
  );
}

const JSON_TYPE = 'application/json';

export const GEMINI_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: setting('maxOutputTokens'),
    temperature: setting('temperature'),
    topP: setting('topP'),
    topK: setting('topK'),
    stop: setting('stopSequences'),
    seed: setting('seed'),
    presencePenalty: setting('presencePenalty'),
    frequencyPenalty: setting('frequencyPenalty'),
    toolChoice: [
      ...['toolConfig.functionCallingConfig', 'tool_config.function_calling_config'],
      ...['config.toolConfig.functionCallingConfig', 'config.tool_config.function_calling_config'],
    ],
    responseFormat: setting('responseJsonSchema', 'responseMimeType'),
  },
  spread: ['responseFormat'],
  own: ['generationConfig', 'toolConfig', 'safetySettings', 'cachedContent'],
  toolChoice: mode(
    (node) => node.get('mode')?.string,
    (node) => {
      const names = node.get('allowedFunctionNames') ?? node.get('allowed_function_names');
      const allowed = node.get('mode')?.string === 'ANY' ? (names?.items() ?? []) : [];
      return allowed.flatMap(({ string }) => string ?? []);
    },
    (word, tools) => (word === undefined ? { mode: 'ANY', allowedFunctionNames: tools } : { mode: word }),
    { auto: 'AUTO', none: 'NONE', required: 'ANY' },
  ),
  // a schema without the type is refused: https://ai.google.dev/api/generate-content#generationconfig, 2026-11
  responseFormat: {
    read: (node) =>
      node.isObject ? { name: 'response', schema: node } : node.string === JSON_TYPE ? 'json' : undefined,
    write: (value) => ({ responseMimeType: JSON_TYPE, ...(value !== 'json' && { responseJsonSchema: value.schema }) }),
  },
};
