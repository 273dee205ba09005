/** Parameters of a request. https://docs.ollama.com/api/chat https://docs.ollama.com/modelfile#parameter (2026-11) */
import type { ParameterTable } from '../shared/parameters.js';

export const OLLAMA_PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['options.num_predict'],
    temperature: ['options.temperature'],
    topP: ['options.top_p'],
    topK: ['options.top_k'],
    stop: ['options.stop'],
    seed: ['options.seed'],
    presencePenalty: ['options.presence_penalty'],
    frequencyPenalty: ['options.frequency_penalty'],
    responseFormat: ['format'],
  },
  own: ['options', 'format', 'think', 'stream', 'keep_alive', 'logprobs', 'top_logprobs', 'truncate', 'shift'],
  responseFormat: {
    read: (node) => (node.isObject ? { name: 'response', schema: node } : node.string === 'json' ? 'json' : undefined),
    write: (value) => (value === 'json' ? 'json' : value.schema),
  },
};
