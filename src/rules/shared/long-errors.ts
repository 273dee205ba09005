/** Long errors of rules, by provider. They stand apart because a run needs them only when it shows one. */

type Errors = Readonly<Record<string, string>>;

/** What each provider says of a history that is too long. Read in the issues that report it, 2026-11. */
export function contextErrors(): Errors {
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

/** Of request/tool-schema. DeepSeek's: vercel/ai#7924, 2025-08. */
export function toolSchemaErrors(): Errors {
  return {
    'anthropic vertex-claude':
      'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 | ' +
      'tools.106.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level | ' +
      'tools.0.custom.input_schema.type: Field required | ' +
      "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false",
    'openai-chat azure github-copilot openai-responses':
      "Invalid schema for function 'search': In context=('properties', 'a'), array schema missing items. | " +
      "Invalid schema for function 'search': In context=(), object schema missing properties. | " +
      `Invalid schema for function 'search': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'. | ` +
      "Invalid schema for function 'search': schema must have type 'object' and not have " +
      "'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level. | " +
      "Invalid schema for function 'search': In context=(), 'additionalProperties' is required to be supplied and to " +
      'be false. | ' +
      "Invalid schema for function 'search': In context=(), 'required' is required to be supplied and to be an array " +
      'including every key in properties.',
    'gemini vertex':
      'Invalid JSON payload received. Unknown name "additionalProperties" at ' +
      "'tools[0].function_declarations[0].parameters': Cannot find field.",
    gemini:
      '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[a].items: missing field. | ' +
      '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[a].enum[0]: cannot be empty ' +
      '| ' +
      '* GenerateContentRequest.tools[0].function_declarations[0].parameters.required[0]: property is not defined | ' +
      "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[a].format: only 'enum' and " +
      "'date-time' are supported for STRING type | " +
      '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for ' +
      'OBJECT type',
    vertex:
      'Unable to submit request because `f` functionDeclaration `parameters.q` schema specified other fields ' +
      'alongside any_of. When using any_of, it must be the only field set.',
    deepseek:
      "Invalid schema for function 'search': schema must be a JSON Schema of " + `'type: "object"', got 'type: null'.`,
    'bedrock bedrock-llama':
      'The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object.',
  };
}

/** Of request/parameter-removed. */
export function removedErrors(): Errors {
  return {
    'openai-chat azure github-copilot':
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is " +
      'supported. | ' +
      'Unrecognized request argument supplied: top_k',
    'openai-chat azure github-copilot openai-responses':
      "Unsupported parameter: 'temperature' is not supported with this model.",
    'anthropic vertex-claude bedrock':
      '`temperature` is deprecated for this model. | ' +
      '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    'anthropic vertex-claude':
      '`temperature` may only be set to 1 when thinking is enabled. | ' +
      '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled. | ' +
      '`top_k` must be unset when thinking is enabled. | ' +
      'response_format: Extra inputs are not permitted | ' +
      'This model does not support the effort parameter.',
    'openai-responses': "Unknown parameter: 'stop'.",
    xai:
      'Argument not supported on this model: presencePenalty | ' +
      'Model grok-4 does not support parameter reasoningEffort.',
    moonshot: 'invalid temperature: only 1 is allowed for this model',
    deepseek: 'This response_format type is unavailable now',
    'gemini vertex': 'Invalid JSON payload received. Unknown name "temperature": Cannot find field.',
  };
}
