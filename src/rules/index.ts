/** The registry of rules. To add a rule, add a file to its family's folder, and a line to a group below. */
import anthropicCacheControlEmptyText from './anthropic/cache-control-empty-text.js';
import anthropicCacheControlLimit from './anthropic/cache-control-limit.js';
import anthropicCitationsMixed from './anthropic/citations-mixed.js';
import anthropicEmptyMessage from './anthropic/empty-message.js';
import anthropicEmptyTextBlock from './anthropic/empty-text-block.js';
import anthropicErrorResultTextOnly from './anthropic/error-result-text-only.js';
import anthropicExtraFields from './anthropic/extra-fields.js';
import anthropicFirstMessageUser from './anthropic/first-message-user.js';
import anthropicImageManyDimensions from './anthropic/image-many-dimensions.js';
import anthropicImageMediaType from './anthropic/image-media-type.js';
import anthropicImageSize from './anthropic/image-size.js';
import anthropicMediaCount from './anthropic/media-count.js';
import anthropicMediaInAssistant from './anthropic/media-in-assistant.js';
import anthropicPrefillUnsupported from './anthropic/prefill-unsupported.js';
import anthropicRoleSystem from './anthropic/role-system.js';
import anthropicSchema from './anthropic/schema.js';
import anthropicSearchResultEncrypted from './anthropic/search-result-encrypted.js';
import anthropicServerToolIdPattern from './anthropic/server-tool-id-pattern.js';
import anthropicServerToolUnpaired from './anthropic/server-tool-unpaired.js';
import anthropicThinkingDisabledFinal from './anthropic/thinking-disabled-final.js';
import anthropicThinkingLast from './anthropic/thinking-last.js';
import anthropicThinkingModified from './anthropic/thinking-modified.js';
import anthropicThinkingMustLead from './anthropic/thinking-must-lead.js';
import anthropicThinkingSignature from './anthropic/thinking-signature.js';
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
import bedrockEmptyContent from './bedrock/empty-content.js';
import bedrockErrorResultEmpty from './bedrock/error-result-empty.js';
import bedrockMixedToolAndText from './bedrock/mixed-tool-and-text.js';
import bedrockToolConfigMissing from './bedrock/tool-config-missing.js';
import bedrockToolResultExcess from './bedrock/tool-result-excess.js';
import bedrockToolResultMissing from './bedrock/tool-result-missing.js';
import chatArgumentsInvalidJson from './chat/arguments-invalid-json.js';
import chatContentNull from './chat/content-null.js';
import chatFunctionNameEmpty from './chat/function-name-empty.js';
import chatFunctionNamePattern from './chat/function-name-pattern.js';
import chatImageFormat from './chat/image-format.js';
import chatImageInNonUser from './chat/image-in-non-user.js';
import chatReasoningFieldUnsupported from './chat/reasoning-field-unsupported.js';
import chatToolCallIdDuplicate from './chat/tool-call-id-duplicate.js';
import chatToolCallIdLength from './chat/tool-call-id-length.js';
import chatToolCallIdMissing from './chat/tool-call-id-missing.js';
import chatToolCallUnanswered from './chat/tool-call-unanswered.js';
import chatToolCallsEmpty from './chat/tool-calls-empty.js';
import chatToolResultOrphan from './chat/tool-result-orphan.js';
import coreContextOverflow from './core/context-overflow.js';
import coreMediaData from './core/media-data.js';
import coreMediaDataUrl from './core/media-data-url.js';
import coreRolesAlternate from './core/roles-alternate.js';
import coreUnpairedSurrogate from './core/unpaired-surrogate.js';
import dashscopeRepetitiveToolCalls from './dashscope/repetitive-tool-calls.js';
import deepseekReasoningContentMissing from './deepseek/reasoning-content-missing.js';
import geminiEmptyParts from './gemini/empty-parts.js';
import geminiEndsWithModel from './gemini/ends-with-model.js';
import geminiFunctionCallTurnOrder from './gemini/function-call-turn-order.js';
import geminiFunctionName from './gemini/function-name.js';
import geminiFunctionResponseCount from './gemini/function-response-count.js';
import geminiFunctionResponseMixed from './gemini/function-response-mixed.js';
import geminiFunctionResponseName from './gemini/function-response-name.js';
import geminiFunctionResponseTurnOrder from './gemini/function-response-turn-order.js';
import geminiMimeType from './gemini/mime-type.js';
import geminiPartRole from './gemini/part-role.js';
import geminiPartWithoutData from './gemini/part-without-data.js';
import geminiSchema from './gemini/schema.js';
import geminiThoughtSignatureBase64 from './gemini/thought-signature-base64.js';
import geminiThoughtSignatureMissing from './gemini/thought-signature-missing.js';
import minimaxToolResultIdNotFound from './minimax/tool-result-id-not-found.js';
import mistralAssistantEmpty from './mistral/assistant-empty.js';
import mistralCallResponseCount from './mistral/call-response-count.js';
import mistralLastRoleAssistant from './mistral/last-role-assistant.js';
import mistralToolAfterUser from './mistral/tool-after-user.js';
import mistralToolCallIdFormat from './mistral/tool-call-id-format.js';
import mistralUserAfterTool from './mistral/user-after-tool.js';
import openaiChatSchema from './openai-chat/schema.js';
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
import responsesNamePattern from './responses/name-pattern.js';
import responsesOutputMissing from './responses/output-missing.js';
import responsesReasoningWithoutFollower from './responses/reasoning-without-follower.js';
import responsesRoleTool from './responses/role-tool.js';
import responsesSchema from './responses/schema.js';
import type { Rule } from './rule.js';

/**
 * Fixes run in this order. A fix may cause a fault that a later group fixes (removing the last part of a message leaves
 * an empty message), so the groups go from pairs of calls and results, over parts, to whole messages. `check` reports,
 * and `rules` lists, in this order too.
 */
export const rules: readonly Rule[] = [
  // Items and ids that decide which result answers which call: first, because every later rule relies on the pairs.
  geminiPartRole,
  minimaxToolResultIdNotFound,
  responsesRoleTool,
  responsesDuplicateItem,
  responsesCallIdEmpty,
  responsesItemIdPrefix,
  responsesItemIdCharset,
  responsesEncryptedContent,
  responsesItemNotFound,
  responsesContentTypeRole,
  anthropicToolUseIdDuplicate,
  chatToolCallIdDuplicate,

  // Unanswered calls: before the next group, so that a misplaced result moves to its call instead of being removed.
  chatToolCallUnanswered,
  anthropicToolUseUnanswered,
  responsesOutputMissing,

  // Results without a call, in the wrong order, or too many.
  responsesCallMissing,
  geminiFunctionResponseName,
  geminiFunctionResponseCount,
  geminiFunctionResponseTurnOrder,
  geminiFunctionCallTurnOrder,
  bedrockToolResultMissing,
  bedrockToolResultExcess,
  mistralCallResponseCount,
  mistralToolAfterUser,
  chatToolResultOrphan,
  anthropicToolResultDuplicate,
  anthropicToolResultOrphan,
  anthropicToolResultNotFirst,
  anthropicServerToolUnpaired,
  anthropicSearchResultEncrypted,

  // Calls that are removed with their results: once the results are at their calls.
  dashscopeRepetitiveToolCalls,
  chatFunctionNameEmpty,

  // Ids and names: after the pairs are final, because a call and its results are renamed together.
  chatToolCallIdMissing,
  chatToolCallIdLength,
  responsesCallIdLength,
  mistralToolCallIdFormat,
  anthropicToolUseIdPattern,
  anthropicServerToolIdPattern,
  chatFunctionNamePattern,
  anthropicToolNamePattern,
  responsesNamePattern,
  geminiFunctionName,

  // Arguments and images of calls and results.
  chatToolCallsEmpty,
  chatArgumentsInvalidJson,
  anthropicToolInputNotObject,
  anthropicMediaInAssistant,
  anthropicErrorResultTextOnly,
  chatImageInNonUser,

  // Reasoning: after calls were removed, because reasoning must be followed by what it led to.
  chatReasoningFieldUnsupported,
  deepseekReasoningContentMissing,
  responsesReasoningWithoutFollower,
  responsesCallWithoutReasoning,

  // Fields and roles of messages, and characters of texts.
  chatContentNull,
  coreUnpairedSurrogate,
  anthropicRoleSystem,
  anthropicExtraFields,

  // Thinking blocks: blocks without a signature are removed before their position and number are checked.
  anthropicThinkingSignature,
  anthropicThinkingMustLead,
  anthropicThinkingDisabledFinal,
  anthropicThinkingModified,
  anthropicThinkingLast,

  // Empty parts: breakpoints move to another block before the empty block is removed.
  anthropicCacheControlEmptyText,
  anthropicCacheControlLimit,
  anthropicEmptyTextBlock,
  anthropicWhitespaceTextBlock,
  bedrockBlankText,
  bedrockErrorResultEmpty,
  bedrockEmptyContent,

  // Parts that may not be combined, or lack something in the request.
  bedrockMixedToolAndText,
  bedrockToolConfigMissing,
  geminiPartWithoutData,
  geminiEmptyParts,
  geminiFunctionResponseMixed,
  geminiThoughtSignatureBase64,
  geminiThoughtSignatureMissing,

  // Images.
  coreMediaDataUrl,
  coreMediaData,
  geminiMimeType,
  chatImageFormat,
  anthropicImageMediaType,
  anthropicImageSize,
  anthropicImageManyDimensions,
  anthropicMediaCount,
  anthropicCitationsMixed,

  // Empty and adjacent messages: after all parts that must go were removed.
  mistralAssistantEmpty,
  mistralUserAfterTool,
  anthropicEmptyMessage,
  coreRolesAlternate,

  // The beginning and the end of the history: after messages were removed or joined.
  anthropicFirstMessageUser,
  anthropicTrailingWhitespace,
  anthropicPrefillUnsupported,
  geminiEndsWithModel,
  mistralLastRoleAssistant,

  // Rules without a fix.
  coreContextOverflow,
  openaiChatSchema,
  responsesSchema,
  anthropicSchema,
  geminiSchema,
];
