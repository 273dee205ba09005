/** Parameters of a request. As of January 2026: https://ai.google.dev/api/generate-content#generationconfig */
import { bareSchema, type ParameterTable } from '../shared/parameters.js';
import { mode } from '../shared/tool-choice.js';

export const GEMINI_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['generationConfig.maxOutputTokens'],
    temperature: ['generationConfig.temperature'],
    topP: ['generationConfig.topP'],
    topK: ['generationConfig.topK'],
    stop: ['generationConfig.stopSequences'],
    seed: ['generationConfig.seed'],
    presencePenalty: ['generationConfig.presencePenalty'],
    frequencyPenalty: ['generationConfig.frequencyPenalty'],
    toolChoice: ['toolConfig.functionCallingConfig'],
    responseFormat: ['generationConfig.responseJsonSchema'],
  },
  own: ['generationConfig', 'toolConfig', 'safetySettings', 'cachedContent'],
  toolChoice: mode(
    (node) => node.get('mode')?.string,
    (node) => {
      const allowed = node.get('mode')?.string === 'ANY' ? (node.get('allowedFunctionNames')?.items() ?? []) : [];
      return allowed.flatMap(({ string }) => string ?? []);
    },
    (word, tools) => (word === undefined ? { mode: 'ANY', allowedFunctionNames: tools } : { mode: word }),
    { auto: 'AUTO', none: 'NONE', required: 'ANY' },
  ),
  responseFormat: bareSchema(
    (node) => (node.isObject ? node : undefined),
    (schema) => schema,
  ),
};
