import { table } from '../../formats/shared/table.js';
/**
 * Errors that a rule stands for beside its own, as people paste them. They were collected from issues and from the
 * providers' error references, 2026-11.
 */
export const OTHER_ERRORS = table<readonly string[]>({
  'anthropic/schema': [
    "messages.2.role: Input should be 'user' or 'assistant'",
    'messages.0.content.0: `tool_use` blocks can only be in `assistant` messages',
  ],
  'anthropic/thinking-signature': ['messages.1.content.0.thinking.signature: Field required'],
  'anthropic/tool-name-pattern': ['messages.1.content.0.tool_use.name: String should have at most 200 characters'],
  'chat/function-name-pattern': [
    "Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern " +
      "'^[a-zA-Z0-9_-]+$'.",
  ],
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
    "Missing required parameter: 'messages[1].tool_calls[0].type'.",
    "Invalid 'messages[0].content': empty array. Expected an array with minimum length 1",
  ],
  'request/tool-choice': ["tool_choice: Tool 'nope' not found in provided tools"],
  'request/tool-schema': [
    'tools.0.custom.input_schema.type: Field required',
    'Invalid JSON payload received. Unknown name "additionalProperties" / "$schema" at ' +
      "'tools[0].function_declarations[0].parameters': Cannot find field.",
  ],
  'responses/schema': [
    "Missing required parameter: 'input[1].id'.",
    "Invalid type for 'input[2].output': expected one of an array of objects or string, but got null instead.",
    "Invalid 'input[1].id': expected string, got null",
    "Invalid value: 'image_url'. Supported values are: 'input_text', 'input_image'",
    "Unknown parameter: 'input[0].tool_calls'.",
  ],
});
