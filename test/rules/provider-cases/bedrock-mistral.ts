/**
 * Refused requests to Bedrock, Mistral, Moonshot, Cohere, DashScope, DeepSeek, MiniMax, Vertex and xAI: the rule that
 * finds each, and that its fix leaves nothing.
 */
interface Expected {
  readonly rule: string;
  /** How safe the fix of that rule is; undefined where there is none, or where it does not reach the fault. */
  readonly fix?: 'safe' | 'lossy' | 'synthetic';
  /** The rule that still finds something once all is fixed, if one does. */
  readonly left?: string;
}

export default {
  'b02-excess': { rule: 'bedrock/tool-result-excess', fix: 'lossy' },
  'b04-blank': { rule: 'bedrock/blank-text', fix: 'safe' },
  'b06-roles': { rule: 'core/roles-alternate', fix: 'safe' },
  'b08-doc-name': { rule: 'bedrock/document-name', fix: 'lossy' },
  'b10-doc-six': { rule: 'bedrock/document-count', fix: 'lossy' },
  'b12-doc-format': { rule: 'bedrock/schema', fix: 'safe', left: 'bedrock/schema' },
  'b14-id-pattern': { rule: 'bedrock/tool-use-id', fix: 'safe' },
  'b16-name-long': { rule: 'bedrock/tool-name', fix: 'synthetic' },
  'b18-input-string': { rule: 'bedrock/tool-input-not-object', fix: 'safe' },
  'b20-tool-dup': { rule: 'bedrock/tool-duplicate', fix: 'safe' },
  'b22-cachepoint-many': { rule: 'bedrock/cache-points', fix: 'safe' },
  'd02-image': { rule: 'deepseek/image-unsupported', fix: 'lossy' },
  'd04-developer': { rule: 'chat/role-unsupported', fix: 'safe' },
  'h01-cohere': { rule: 'cohere/tool-call-not-found', fix: 'lossy' },
  'k02-empty': { rule: 'chat/message-empty', fix: 'lossy' },
  'm01-id': { rule: 'mistral/tool-call-id-format', fix: 'safe' },
  'm03-user-after-tool': { rule: 'mistral/user-after-tool', fix: 'synthetic' },
  'm05-assistant-empty': { rule: 'mistral/assistant-empty', fix: 'lossy' },
  'm07-unexpected-id': { rule: 'mistral/call-response-count', fix: 'synthetic' },
  'm09-developer': { rule: 'chat/role-unsupported', fix: 'safe' },
  'm11-args-json': { rule: 'chat/arguments-invalid-json', fix: 'lossy' },
  'm13-extra-field': { rule: 'mistral/extra-fields', fix: 'lossy' },
  'n01-not-found': { rule: 'minimax/tool-result-id-not-found', fix: 'lossy' },
  'n03-empty': { rule: 'chat/message-empty', fix: 'lossy' },
  'q01-args-json': { rule: 'chat/arguments-invalid-json', fix: 'lossy' },
  'q03-orphan': { rule: 'chat/tool-result-orphan', fix: 'lossy' },
  'q05-developer': { rule: 'chat/role-unsupported', fix: 'safe' },
  'v01-vertex-id': { rule: 'anthropic/tool-use-id-pattern', fix: 'safe' },
  'x02-null-content': { rule: 'chat/content-missing', fix: 'safe' },
} satisfies Record<string, Expected>;
