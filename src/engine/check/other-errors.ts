import { table } from '../../formats/shared/table.js';
/**
 * Errors that a rule stands for beside its own, as people paste them. They were collected from issues and from the
 * providers' error references, 2026-11.
 */
export const OTHER_ERRORS = table<readonly string[]>({
  'anthropic/schema': [
    'messages.1.content: Input should be a valid list',
    "messages.2.role: Input should be 'user' or 'assistant'",
    'messages.0.content.0: `tool_use` blocks can only be in `assistant` messages',
  ],
  'anthropic/thinking-signature': ['messages.1.content.0.thinking.signature: Field required'],
  'anthropic/tool-name-pattern': ['messages.1.content.0.tool_use.name: String should have at most 200 characters'],
  'chat/tool-call-id-missing': ['Missing required parameter: messages[1].tool_calls[0].id'],
  'gemini/ends-with-model': [
    'Please ensure that single turn requests end with a user role or the role field is empty.',
  ],
  'gemini/schema': [
    "Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct)",
    "Invalid value at 'contents[1].parts[0].function_call.args' (google.protobuf.Struct)",
    'Content with system role is not supported.',
  ],
  'mistral/call-response-count': ['Unexpected tool call id abcdefghz in tool results'],
  'openai-chat/schema': [
    "Invalid 'messages[1].tool_calls': array too long. Expected an array with maximum length 128, but got " +
      'an array with length 200 instead.',
    "Missing required parameter: 'messages[1].tool_calls[0].type'.",
    "Invalid 'messages[0].content': empty array. Expected an array with minimum length 1",
  ],
  'request/tool-choice': [
    "Invalid value: 'any'. Supported values are: 'none', 'auto', and 'required'.",
    "tool_choice: Tool 'nope' not found in provided tools",
  ],
  'request/tool-schema': [
    "Invalid value at 'tools[0].function_declarations[37].parameters.properties[9].value' " +
      '(type.googleapis.com/google.cloud.aiplatform.v1.Schema), "object"',
    'Invalid JSON payload received. Unknown name "type" at ' +
      "'tools[0].function_declarations[3].parameters.properties[3].value': Proto field is not repeating, " +
      'cannot start list.',
    'tools.0.custom.input_schema.type: Field required',
    'Invalid JSON payload received. Unknown name "additionalProperties" / "$schema" at ' +
      "'tools[0].function_declarations[0].parameters': Cannot find field.",
  ],
  'responses/item-not-found': ["Item with id 'rs_1' not found. Items are not persisted when `store` is set to false."],
  'responses/schema': [
    "Invalid 'input[1].arguments': string too long. Expected a string with maximum length 1048576, but got " +
      'a string with length 1900373 instead.',
    "Invalid value: 'other'. Supported values are: 'search', 'open_page', and 'find_in_page'.",
    "Unknown parameter: 'input[0].content[0].cache_control'.",
    "Missing required parameter: 'input[1].id'.",
    "Invalid type for 'input[2].output': expected one of an array of objects or string, but got null instead.",
    "Invalid 'input[1].id': expected string, got null",
    "Invalid value: 'image_url'. Supported values are: 'input_text', 'input_image'",
    "Unknown parameter: 'input[0].tool_calls'.",
  ],
  'anthropic/tool-use-id-pattern': ['messages.2.content.0.tool_result.tool_use_id: Field required'],
  'bedrock/blank-text': [
    "Value '' at 'system.1.member.text' failed to satisfy constraint: Member must have length greater than " +
      'or equal to 1',
  ],
  'bedrock/schema': [
    "Value '' at 'toolConfig.tools.1.member.toolSpec.description' failed to satisfy constraint: Member " +
      'must have length greater than or equal to 1',
    "Value at 'toolConfig.tools' failed to satisfy constraint: Member must have length greater than or " + 'equal to 1',
    "Value 'jpg' at 'messages.1.member.content.1.member.image.format' failed to satisfy constraint: Member " +
      'must satisfy enum value set: [png, jpeg, gif, webp]',
  ],
  'chat/image-format': ['Invalid MIME type. Only image types are supported.'],
  'chat/tool-result-orphan': ['Invalid request: tool_call_id c9 is not found'],
  'responses/call-id-empty': ["Missing required parameter: 'input[1].call_id'."],
  'request/parameter-range': [
    'temperature: range: 0..1',
    'Temperature should be in [0.0, 2.0)',
    'Range of top_p should be (0.0, 1.0]',
    'Range of max_tokens should be [1, 8192]',
    'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is ' +
      'from 1 (inclusive) to 65537 (exclusive). Update the value and try again.',
    'Unable to submit request because it has a temperature value of 3 but the supported range is from 0 ' +
      '(inclusive) to 2.0001 (exclusive). Update the value and try again.',
    "Value '2' at 'inferenceConfig.temperature' failed to satisfy constraint: Member must have value less " +
      'than or equal to 1',
    '`max_completion_tokens` must be less than or equal to `32768`, the maximum value for ' +
      '`max_completion_tokens` is less than the `context_window` for this model',
    'body.temperature Input should be less than or equal to 1.5',
  ],
  'request/parameter-removed': [
    'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please ' +
      'use /v1/responses instead.',
    "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', " +
      "'low', 'medium', and 'high'.",
    "Unsupported value: 'verbosity' does not support 'low' with this model. Supported values are: 'medium'.",
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    "The following tools cannot be used with reasoning.effort 'minimal': web_search.",
    'stop_sequences: each stop sequence must contain non-whitespace',
    '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive',
    "Function calling with a response mime type: 'application/json' is unsupported",
    'Budget 0 is invalid. This model only works in thinking mode.',
    'You can only set only one of thinking budget and thinking level.',
    'Thinking level is not supported for this model.',
    'Developer instruction is not enabled for models/gemma-3-27b-it',
    'Function calling is not enabled for models/gemma-3-27b-it',
    'JSON mode is not enabled for models/gemma-3-27b-it',
    'CachedContent can not be used with GenerateContent request setting system_instruction, tools or ' + 'tool_config.',
    "This model doesn't support tool use in streaming mode.",
    '`reasoning_effort` must be one of `none` or `default`',
    'json mode cannot be combined with tool/function calling',
    'response_format json_object cannot be combined with tool/function calling',
    "unknown field: parameter 'strict' is not a valid field. For proper usage, please refer to " +
      'https://docs.cohere.com/reference/chat',
    'Json mode response is not supported when enable_thinking is true',
    'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified',
    "property 'store' is unsupported, did you mean 'stop'?",
    'extra_forbidden body.max_completion_tokens Extra inputs are not permitted',
  ],
});
