/** What each provider says of a history that is too long. Read in the issues that report it, 2026-11. */
export function contextErrors(): Readonly<Record<string, string>> {
  return {
    'anthropic vertex-claude': 'prompt is too long: 212230 tokens > 200000 maximum',
    'openai-chat azure':
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130043 tokens. " +
      'Please reduce the length of the messages.',
    'openai-responses': 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'gemini vertex': 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
    bedrock: 'Input is too long for requested model.',
    'deepseek openai-compatible':
      "This model's maximum context length is 65536 tokens. However, you requested 69648 tokens (69648 in the " +
      'messages, 0 in the completion). Please reduce the length of the messages or completion.',
    moonshot: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 287431)',
    groq: 'Please reduce the length of the messages or completion.',
    dashscope: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]',
    minimax: 'invalid params, context window exceeds limit (2013)',
    xai: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'github-copilot': 'prompt token count of 146270 exceeds the limit of 128000',
    openrouter:
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of " +
      'text input). Please reduce the length of either one, or use the "middle-out" transform to compress your ' +
      'prompt automatically.',
  };
}
