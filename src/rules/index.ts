/** The registry of rules. To add a rule, add a file to its family's folder, and a line to a group below. */
import { table } from '../formats/shared/table.js';
import { register } from '../registries.js';
import anthropicCacheControlEmptyText from './anthropic/cache-control-empty-text.js';
import anthropicCacheControlLimit from './anthropic/cache-control-limit.js';
import anthropicCacheTtlOrder from './anthropic/cache-ttl-order.js';
import anthropicCitationsMixed from './anthropic/citations-mixed.js';
import anthropicEmptyMessage from './anthropic/empty-message.js';
import anthropicEmptyTextBlock from './anthropic/empty-text-block.js';
import anthropicErrorResultTextOnly from './anthropic/error-result-text-only.js';
import anthropicExtraFields from './anthropic/extra-fields.js';
import anthropicFirstMessageUser from './anthropic/first-message-user.js';
import anthropicImageManyDimensions from './anthropic/image-many-dimensions.js';
import anthropicImageMediaType from './anthropic/image-media-type.js';
import anthropicImageSize from './anthropic/image-size.js';
import anthropicMaxTokensMissing from './anthropic/max-tokens-missing.js';
import anthropicMediaCount from './anthropic/media-count.js';
import anthropicMediaInAssistant from './anthropic/media-in-assistant.js';
import anthropicPrefillUnsupported from './anthropic/prefill-unsupported.js';
import anthropicRoleSystem from './anthropic/role-system.js';
import anthropicSchema from './anthropic/schema.js';
import anthropicSearchResultEncrypted from './anthropic/search-result-encrypted.js';
import anthropicServerToolIdPattern from './anthropic/server-tool-id-pattern.js';
import anthropicServerToolUnpaired from './anthropic/server-tool-unpaired.js';
import anthropicThinkingBudget from './anthropic/thinking-budget.js';
import anthropicThinkingDisabledFinal from './anthropic/thinking-disabled-final.js';
import anthropicThinkingLast from './anthropic/thinking-last.js';
import anthropicThinkingModified from './anthropic/thinking-modified.js';
import anthropicThinkingMustLead from './anthropic/thinking-must-lead.js';
import anthropicThinkingSignature from './anthropic/thinking-signature.js';
import anthropicThinkingUnsupported from './anthropic/thinking-unsupported.js';
import anthropicToolInputNotObject from './anthropic/tool-input-not-object.js';
import anthropicToolNamePattern from './anthropic/tool-name-pattern.js';
import anthropicToolResultDuplicate from './anthropic/tool-result-duplicate.js';
import anthropicToolResultNotFirst from './anthropic/tool-result-not-first.js';
import anthropicToolResultOrphan from './anthropic/tool-result-orphan.js';
import anthropicToolUseIdDuplicate from './anthropic/tool-use-id-duplicate.js';
import anthropicToolUseIdPattern from './anthropic/tool-use-id-pattern.js';
import anthropicToolUseUnanswered from './anthropic/tool-use-unanswered.js';
import anthropicTrailingWhitespace from './anthropic/trailing-whitespace.js';
import anthropicWhitespaceTextBlock from './anthropic/whitespace-text-block.js';
import bedrockBlankText from './bedrock/blank-text.js';
import bedrockCachePoints from './bedrock/cache-points.js';
import bedrockDocumentCount from './bedrock/document-count.js';
import bedrockDocumentName from './bedrock/document-name.js';
import bedrockDocumentNameDuplicate from './bedrock/document-name-duplicate.js';
import bedrockDocumentWithoutText from './bedrock/document-without-text.js';
import bedrockEmptyContent from './bedrock/empty-content.js';
import bedrockErrorResultEmpty from './bedrock/error-result-empty.js';
import bedrockFirstMessageUser from './bedrock/first-message-user.js';
import bedrockMixedToolAndText from './bedrock/mixed-tool-and-text.js';
import bedrockReasoningUnsigned from './bedrock/reasoning-unsigned.js';
import bedrockResultJsonNotObject from './bedrock/result-json-not-object.js';
import bedrockSchema from './bedrock/schema.js';
import bedrockToolConfigMissing from './bedrock/tool-config-missing.js';
import bedrockToolDuplicate from './bedrock/tool-duplicate.js';
import bedrockToolInputNotObject from './bedrock/tool-input-not-object.js';
import bedrockToolName from './bedrock/tool-name.js';
import bedrockToolResultExcess from './bedrock/tool-result-excess.js';
import bedrockToolResultMissing from './bedrock/tool-result-missing.js';
import bedrockToolUseId from './bedrock/tool-use-id.js';
import bedrockToolUseIdDuplicate from './bedrock/tool-use-id-duplicate.js';
import chatArgumentsInvalidJson from './chat/arguments-invalid-json.js';
import chatContentMissing from './chat/content-missing.js';
import chatContentNull from './chat/content-null.js';
import chatFunctionNameEmpty from './chat/function-name-empty.js';
import chatFunctionNamePattern from './chat/function-name-pattern.js';
import chatImageFormat from './chat/image-format.js';
import chatImageInNonUser from './chat/image-in-non-user.js';
import chatLateSystem from './chat/late-system.js';
import chatMessageEmpty from './chat/message-empty.js';
import chatReasoningFieldUnsupported from './chat/reasoning-field-unsupported.js';
import chatRoleUnsupported from './chat/role-unsupported.js';
import chatToolCallIdDuplicate from './chat/tool-call-id-duplicate.js';
import chatToolCallIdLength from './chat/tool-call-id-length.js';
import chatToolCallIdMissing from './chat/tool-call-id-missing.js';
import chatToolCallTypeMissing from './chat/tool-call-type-missing.js';
import chatToolCallUnanswered from './chat/tool-call-unanswered.js';
import chatToolCallsEmpty from './chat/tool-calls-empty.js';
import chatToolResultOrphan from './chat/tool-result-orphan.js';
import cohereExtraFields from './cohere/extra-fields.js';
import cohereSchema from './cohere/schema.js';
import cohereToolCallNotFound from './cohere/tool-call-not-found.js';
import coreArgumentsInvalid from './core/arguments-invalid.js';
import coreContextOverflow from './core/context-overflow.js';
import coreMediaData from './core/media-data.js';
import coreMediaDataUrl from './core/media-data-url.js';
import coreRolesAlternate from './core/roles-alternate.js';
import coreToolUnknown from './core/tool-unknown.js';
import coreUnpairedSurrogate from './core/unpaired-surrogate.js';
import dashscopeRepetitiveToolCalls from './dashscope/repetitive-tool-calls.js';
import deepseekContentList from './deepseek/content-list.js';
import deepseekImageUnsupported from './deepseek/image-unsupported.js';
import deepseekReasoningContentMissing from './deepseek/reasoning-content-missing.js';
import geminiEmptyParts from './gemini/empty-parts.js';
import geminiEndsWithModel from './gemini/ends-with-model.js';
import geminiFunctionCallTurnOrder from './gemini/function-call-turn-order.js';
import geminiFunctionResponseCount from './gemini/function-response-count.js';
import geminiFunctionResponseMixed from './gemini/function-response-mixed.js';
import geminiFunctionResponseName from './gemini/function-response-name.js';
import geminiFunctionResponseTurnOrder from './gemini/function-response-turn-order.js';
import geminiInteractionCallUnanswered from './gemini/interaction-call-unanswered.js';
import geminiMimeType from './gemini/mime-type.js';
import geminiPartRole from './gemini/part-role.js';
import geminiPartWithoutData from './gemini/part-without-data.js';
import geminiSchema from './gemini/schema.js';
import geminiThoughtSignatureBase64 from './gemini/thought-signature-base64.js';
import geminiThoughtSignatureMissing from './gemini/thought-signature-missing.js';
import geminiToolsMixed from './gemini/tools-mixed.js';
import groqExtraFields from './groq/extra-fields.js';
import minimaxSystemTwice from './minimax/system-twice.js';
import minimaxToolResultIdNotFound from './minimax/tool-result-id-not-found.js';
import mistralAssistantEmpty from './mistral/assistant-empty.js';
import mistralCallResponseCount from './mistral/call-response-count.js';
import mistralContentAndCalls from './mistral/content-and-calls.js';
import mistralExtraFields from './mistral/extra-fields.js';
import mistralLastRoleAssistant from './mistral/last-role-assistant.js';
import mistralPrefixNotLast from './mistral/prefix-not-last.js';
import mistralSchema from './mistral/schema.js';
import mistralToolAfterUser from './mistral/tool-after-user.js';
import mistralToolCallIdFormat from './mistral/tool-call-id-format.js';
import mistralUserAfterTool from './mistral/user-after-tool.js';
import moonshotToolSchema from './moonshot/tool-schema.js';
import ollamaArgumentsText from './ollama/arguments-text.js';
import ollamaContentList from './ollama/content-list.js';
import ollamaImageData from './ollama/image-data.js';
import ollamaSchema from './ollama/schema.js';
import ollamaToolCallUnanswered from './ollama/tool-call-unanswered.js';
import openaiChatSchema from './openai-chat/schema.js';
import { familyOf, type Provider } from './providers.js';
import requestJsonWord from './request/json-word.js';
import requestMessagesEmpty from './request/messages-empty.js';
import requestOutputSchema from './request/output-schema.js';
import requestParameterMissing from './request/parameter-missing.js';
import requestParameterMoved from './request/parameter-moved.js';
import requestParameterRange from './request/parameter-range.js';
import requestParameterRemoved from './request/parameter-removed.js';
import requestThinkingToolChoice from './request/thinking-tool-choice.js';
import requestToolChoice from './request/tool-choice.js';
import requestToolIncomplete from './request/tool-incomplete.js';
import requestToolName from './request/tool-name.js';
import requestToolNameDuplicate from './request/tool-name-duplicate.js';
import requestToolSchema from './request/tool-schema.js';
import requestToolsEmpty from './request/tools-empty.js';
import requestToolsTooMany from './request/tools-too-many.js';
import responsesCallIdEmpty from './responses/call-id-empty.js';
import responsesCallIdLength from './responses/call-id-length.js';
import responsesCallMissing from './responses/call-missing.js';
import responsesCallWithoutReasoning from './responses/call-without-reasoning.js';
import responsesContentTypeRole from './responses/content-type-role.js';
import responsesDuplicateItem from './responses/duplicate-item.js';
import responsesEncryptedContent from './responses/encrypted-content.js';
import responsesItemIdCharset from './responses/item-id-charset.js';
import responsesItemIdPrefix from './responses/item-id-prefix.js';
import responsesItemNotFound from './responses/item-not-found.js';
import responsesOutputMissing from './responses/output-missing.js';
import responsesReasoningWithoutFollower from './responses/reasoning-without-follower.js';
import responsesRoleTool from './responses/role-tool.js';
import responsesSchema from './responses/schema.js';
import type { Rule } from './rule.js';
import vertexClaudeUrlSource from './vertex-claude/url-source.js';
import xaiNameNotUser from './xai/name-not-user.js';
import zhipuUserMissing from './zhipu/user-missing.js';

/**
 * Fixes run in this order. A fix may cause a fault that a later group fixes (removing the last part of a message leaves
 * an empty message), so the groups go from pairs of calls and results, over parts, to whole messages. `check` reports,
 * and `rules` lists, in this order too.
 */
const own = table<() => Rule>({
  // Items and ids that decide which result answers which call: first, because every later rule relies on the pairs.
  'gemini/part-role': () => geminiPartRole,
  'minimax/tool-result-id-not-found': () => minimaxToolResultIdNotFound,
  'cohere/tool-call-not-found': () => cohereToolCallNotFound,
  'responses/role-tool': () => responsesRoleTool,
  'responses/duplicate-item': () => responsesDuplicateItem,
  'responses/call-id-empty': () => responsesCallIdEmpty,
  'responses/item-id-prefix': () => responsesItemIdPrefix,
  'responses/item-id-charset': () => responsesItemIdCharset,
  'responses/encrypted-content': () => responsesEncryptedContent,
  'responses/item-not-found': () => responsesItemNotFound,
  'responses/content-type-role': () => responsesContentTypeRole,
  'anthropic/tool-use-id-duplicate': () => anthropicToolUseIdDuplicate,
  'bedrock/tool-use-id-duplicate': () => bedrockToolUseIdDuplicate,
  'chat/tool-call-id-duplicate': () => chatToolCallIdDuplicate,

  // Unanswered calls: before the next group, so that a misplaced result moves to its call instead of being removed.
  'chat/tool-call-unanswered': () => chatToolCallUnanswered,
  'ollama/tool-call-unanswered': () => ollamaToolCallUnanswered,
  'gemini/interaction-call-unanswered': () => geminiInteractionCallUnanswered,
  'anthropic/tool-use-unanswered': () => anthropicToolUseUnanswered,
  'responses/output-missing': () => responsesOutputMissing,

  // Results without a call, in the wrong order, or too many.
  'responses/call-missing': () => responsesCallMissing,
  'gemini/function-response-name': () => geminiFunctionResponseName,
  'gemini/function-response-count': () => geminiFunctionResponseCount,
  'gemini/function-response-turn-order': () => geminiFunctionResponseTurnOrder,
  'gemini/function-call-turn-order': () => geminiFunctionCallTurnOrder,
  'bedrock/tool-result-missing': () => bedrockToolResultMissing,
  'bedrock/tool-result-excess': () => bedrockToolResultExcess,
  'mistral/call-response-count': () => mistralCallResponseCount,
  'mistral/tool-after-user': () => mistralToolAfterUser,
  'chat/tool-result-orphan': () => chatToolResultOrphan,
  'anthropic/tool-result-duplicate': () => anthropicToolResultDuplicate,
  'anthropic/tool-result-orphan': () => anthropicToolResultOrphan,
  'anthropic/tool-result-not-first': () => anthropicToolResultNotFirst,
  'anthropic/server-tool-unpaired': () => anthropicServerToolUnpaired,
  'anthropic/search-result-encrypted': () => anthropicSearchResultEncrypted,

  // Calls that are removed with their results: once the results are at their calls.
  'dashscope/repetitive-tool-calls': () => dashscopeRepetitiveToolCalls,
  'chat/function-name-empty': () => chatFunctionNameEmpty,

  // Ids and names: after the pairs are final, because a call and its results are renamed together.
  'chat/tool-call-id-missing': () => chatToolCallIdMissing,
  'chat/tool-call-id-length': () => chatToolCallIdLength,
  'responses/call-id-length': () => responsesCallIdLength,
  'mistral/tool-call-id-format': () => mistralToolCallIdFormat,
  'anthropic/tool-use-id-pattern': () => anthropicToolUseIdPattern,
  'anthropic/server-tool-id-pattern': () => anthropicServerToolIdPattern,
  'bedrock/tool-use-id': () => bedrockToolUseId,
  'chat/function-name-pattern': () => chatFunctionNamePattern,
  'anthropic/tool-name-pattern': () => anthropicToolNamePattern,
  'bedrock/tool-name': () => bedrockToolName,
  'bedrock/tool-duplicate': () => bedrockToolDuplicate,

  // Arguments and images of calls and results.
  'chat/tool-calls-empty': () => chatToolCallsEmpty,
  'chat/tool-call-type-missing': () => chatToolCallTypeMissing,
  'chat/arguments-invalid-json': () => chatArgumentsInvalidJson,
  'anthropic/tool-input-not-object': () => anthropicToolInputNotObject,
  'anthropic/media-in-assistant': () => anthropicMediaInAssistant,
  'anthropic/error-result-text-only': () => anthropicErrorResultTextOnly,
  'bedrock/tool-input-not-object': () => bedrockToolInputNotObject,
  'bedrock/result-json-not-object': () => bedrockResultJsonNotObject,
  'chat/image-in-non-user': () => chatImageInNonUser,
  'deepseek/image-unsupported': () => deepseekImageUnsupported,
  'deepseek/content-list': () => deepseekContentList,
  'ollama/content-list': () => ollamaContentList,
  'ollama/arguments-text': () => ollamaArgumentsText,
  'vertex-claude/url-source': () => vertexClaudeUrlSource,

  // Reasoning: after calls were removed, because reasoning must be followed by what it led to.
  'chat/reasoning-field-unsupported': () => chatReasoningFieldUnsupported,
  'deepseek/reasoning-content-missing': () => deepseekReasoningContentMissing,
  'responses/reasoning-without-follower': () => responsesReasoningWithoutFollower,
  'responses/call-without-reasoning': () => responsesCallWithoutReasoning,

  // Fields and roles of messages, and characters of texts.
  'chat/content-null': () => chatContentNull,
  'chat/content-missing': () => chatContentMissing,
  'chat/role-unsupported': () => chatRoleUnsupported,
  'xai/name-not-user': () => xaiNameNotUser,
  'groq/extra-fields': () => groqExtraFields,
  'mistral/extra-fields': () => mistralExtraFields,
  'cohere/extra-fields': () => cohereExtraFields,
  'core/unpaired-surrogate': () => coreUnpairedSurrogate,
  'anthropic/role-system': () => anthropicRoleSystem,
  'anthropic/extra-fields': () => anthropicExtraFields,

  // Thinking blocks: blocks without a signature are removed before their position and number are checked.
  'anthropic/thinking-signature': () => anthropicThinkingSignature,
  'anthropic/thinking-must-lead': () => anthropicThinkingMustLead,
  'anthropic/thinking-disabled-final': () => anthropicThinkingDisabledFinal,
  'anthropic/thinking-modified': () => anthropicThinkingModified,
  'anthropic/thinking-last': () => anthropicThinkingLast,
  'bedrock/reasoning-unsigned': () => bedrockReasoningUnsigned,

  // Empty parts: breakpoints move to another block before the empty block is removed.
  'anthropic/cache-control-empty-text': () => anthropicCacheControlEmptyText,
  'anthropic/cache-control-limit': () => anthropicCacheControlLimit,
  'anthropic/cache-ttl-order': () => anthropicCacheTtlOrder,
  'anthropic/empty-text-block': () => anthropicEmptyTextBlock,
  'anthropic/whitespace-text-block': () => anthropicWhitespaceTextBlock,
  'bedrock/document-count': () => bedrockDocumentCount,
  'bedrock/document-name': () => bedrockDocumentName,
  'bedrock/document-name-duplicate': () => bedrockDocumentNameDuplicate,
  'bedrock/blank-text': () => bedrockBlankText,
  'bedrock/error-result-empty': () => bedrockErrorResultEmpty,
  'bedrock/document-without-text': () => bedrockDocumentWithoutText,
  'bedrock/cache-points': () => bedrockCachePoints,
  'bedrock/empty-content': () => bedrockEmptyContent,

  // Parts that may not be combined, or lack something in the request.
  'bedrock/mixed-tool-and-text': () => bedrockMixedToolAndText,
  'bedrock/tool-config-missing': () => bedrockToolConfigMissing,
  'gemini/part-without-data': () => geminiPartWithoutData,
  'gemini/empty-parts': () => geminiEmptyParts,
  'gemini/function-response-mixed': () => geminiFunctionResponseMixed,
  'gemini/thought-signature-base64': () => geminiThoughtSignatureBase64,
  'gemini/thought-signature-missing': () => geminiThoughtSignatureMissing,

  // Images.
  'core/media-data-url': () => coreMediaDataUrl,
  'core/media-data': () => coreMediaData,
  'gemini/mime-type': () => geminiMimeType,
  'ollama/image-data': () => ollamaImageData,
  'chat/image-format': () => chatImageFormat,
  'anthropic/image-media-type': () => anthropicImageMediaType,
  'anthropic/image-size': () => anthropicImageSize,
  'anthropic/image-many-dimensions': () => anthropicImageManyDimensions,
  'anthropic/media-count': () => anthropicMediaCount,
  'anthropic/citations-mixed': () => anthropicCitationsMixed,

  // Empty and adjacent messages: after all parts that must go were removed.
  'mistral/assistant-empty': () => mistralAssistantEmpty,
  'mistral/content-and-calls': () => mistralContentAndCalls,
  'chat/message-empty': () => chatMessageEmpty,
  'chat/late-system': () => chatLateSystem,
  'minimax/system-twice': () => minimaxSystemTwice,
  'mistral/user-after-tool': () => mistralUserAfterTool,
  'anthropic/empty-message': () => anthropicEmptyMessage,
  'core/roles-alternate': () => coreRolesAlternate,

  // The beginning and the end of the history: after messages were removed or joined.
  'anthropic/first-message-user': () => anthropicFirstMessageUser,
  'zhipu/user-missing': () => zhipuUserMissing,
  'bedrock/first-message-user': () => bedrockFirstMessageUser,
  'anthropic/trailing-whitespace': () => anthropicTrailingWhitespace,
  'anthropic/prefill-unsupported': () => anthropicPrefillUnsupported,
  'gemini/ends-with-model': () => geminiEndsWithModel,
  'mistral/last-role-assistant': () => mistralLastRoleAssistant,
  'mistral/prefix-not-last': () => mistralPrefixNotLast,

  // The request beside its messages: tools before the choice of one of them.
  'request/tools-empty': () => requestToolsEmpty,
  'request/tool-name-duplicate': () => requestToolNameDuplicate,
  'request/tool-schema': () => requestToolSchema,
  'request/tool-choice': () => requestToolChoice,
  'request/thinking-tool-choice': () => requestThinkingToolChoice,
  'request/output-schema': () => requestOutputSchema,
  'request/json-word': () => requestJsonWord,
  'request/parameter-moved': () => requestParameterMoved,
  'request/parameter-removed': () => requestParameterRemoved,
  'request/parameter-range': () => requestParameterRange,
  'request/parameter-missing': () => requestParameterMissing,
  'gemini/tools-mixed': () => geminiToolsMixed,
  'anthropic/thinking-unsupported': () => anthropicThinkingUnsupported,
  'anthropic/thinking-budget': () => anthropicThinkingBudget,
  'anthropic/max-tokens-missing': () => anthropicMaxTokensMissing,

  // Rules without a fix.
  'request/messages-empty': () => requestMessagesEmpty,
  'request/tool-incomplete': () => requestToolIncomplete,
  'request/tool-name': () => requestToolName,
  'request/tools-too-many': () => requestToolsTooMany,
  'core/context-overflow': () => coreContextOverflow,
  'core/tool-unknown': () => coreToolUnknown,
  'core/arguments-invalid': () => coreArgumentsInvalid,
  'openai-chat/schema': () => openaiChatSchema,
  'mistral/schema': () => mistralSchema,
  'cohere/schema': () => cohereSchema,
  'ollama/schema': () => ollamaSchema,
  'moonshot/tool-schema': () => moonshotToolSchema,
  'responses/schema': () => responsesSchema,
  'anthropic/schema': () => anthropicSchema,
  'gemini/schema': () => geminiSchema,
  'bedrock/schema': () => bedrockSchema,
});

/**
 * The providers for which a folder has rules. The program loads these folders for them only, and the others always
 * (build/on-demand.mjs).
 */
const FOLDERS = table<readonly string[]>({
  anthropic: ['anthropic', 'bedrock', 'gemini', 'github-copilot'],
  bedrock: ['bedrock', 'bedrock-llama'],
  cohere: ['cohere'],
  dashscope: ['dashscope'],
  deepseek: ['deepseek', 'moonshot', 'zhipu'],
  gemini: ['gemini', 'gemini-interactions'],
  groq: ['groq'],
  minimax: ['minimax'],
  mistral: ['mistral', 'xai'],
  moonshot: ['moonshot'],
  ollama: ['ollama'],
  responses: ['openai-responses'],
  'vertex-claude': ['vertex-claude'],
  xai: ['xai'],
  zhipu: ['zhipu', 'dashscope'],
});

/** Rules of plugins. They come first, so that our own fixes mend what theirs leave. */
const added: Rule[] = [];

export function ruleIds(): string[] {
  return [...added.map(({ id }) => id), ...Object.keys(own)];
}

export function ruleNamed(id: string): Rule | undefined {
  return own[id]?.() ?? added.find((rule) => rule.id === id);
}

export function allRules(): Rule[] {
  return [...added, ...ownAmong(() => true)];
}

/** The rules that may apply to histories for this provider: all that `rulesFor` chooses are among them. */
export function rulesOf(provider: Provider): Rule[] {
  const known = ownOf.get(provider) ?? ownAmong((folder) => isFor(provider, folder));
  ownOf.set(provider, known);
  return [...added, ...known];
}

const ownOf = new WeakMap<Provider, readonly Rule[]>();

function isFor(provider: Provider, folder: string): boolean {
  const family = familyOf(provider);
  return FOLDERS[folder]?.some((id) => family.has(id)) ?? true;
}

function ownAmong(isWanted: (folder: string) => boolean): Rule[] {
  const entries = Object.entries(own).filter(([id]) => isWanted(id.slice(0, id.indexOf('/'))));
  return entries.map(([, load]) => load());
}

/** Adds rules of plugins until what is returned is called. Throws TranscriptError where an id is taken. */
export function addRules(rules: readonly Rule[] = []): () => void {
  return register(added, rules, 'rule', Object.keys(own));
}
