/**
 * The registry of formats. Order matters: if two formats score a transcript equally, the earlier one wins, so formats
 * that wrap or extend others come first and the generic ones last.
 *
 * Formats of plugins stand before all of these.
 *
 * To add a format: a folder beside this file (see format.ts for the contract), an entry here, and fixtures in
 * fixtures/formats/<id>.
 *
 * Signatures let detection skip most formats without loading them. A signature is a list of words that one object in
 * the sample must satisfy, all of them; a format comes into question if any of its signatures matches.
 *
 *     key            has this member
 *     key[] key{}    has this member, an array or an object
 *     key"" key#     has this member, a string or a number
 *     type=user      this member is this text; also for `role=` and `source=`
 *     @key           is an element of the list `key`
 *     @              is a top-level value, or an element of a top-level array
 *     alone          has a single member
 *
 * A signature too many costs time; one too few changes what is detected (test/formats/signatures.test.ts compares).
 */
import { TranscriptError } from '../errors.js';
import { commaList } from '../lists.js';
import { register } from '../registries.js';
import ampThread from './amp/amp-thread.js';
import anthropicMessages from './anthropic/anthropic-messages.js';
import claudeAgentSdk from './anthropic/claude-agent-sdk.js';
import claudeCode from './anthropic/claude-code.js';
import claudeManagedAgents from './anthropic/managed-agents.js';
import antigravity from './antigravity/antigravity.js';
import atif from './atif/atif.js';
import autogen from './autogen/autogen.js';
import bedrockConverse from './bedrock/bedrock-converse.js';
import callLog from './call-log/call-log.js';
import chatgptExport from './chatgpt/chatgpt-export.js';
import claudeAiExport from './claude/claude-ai-export.js';
import clineUi from './cline/cline-ui.js';
import codexRollout from './codex/codex-rollout.js';
import cohereChat from './cohere/cohere-chat.js';
import continueSession from './continue/continue-session.js';
import copilotCli from './copilot/copilot-cli.js';
import copilotDebugLog from './copilot/copilot-debug-log.js';
import copilotTimeline from './copilot/copilot-timeline.js';
import cursorAgent from './cursor/cursor-agent.js';
import droidSession from './droid/droid-session.js';
import type { Format } from './format.js';
import geminiCliSession from './gemini/gemini-cli-session.js';
import geminiCliStream from './gemini/gemini-cli-stream.js';
import geminiContents from './gemini/gemini-contents.js';
import geminiInteractions from './gemini/gemini-interactions.js';
import gooseSession from './goose/goose-session.js';
import happy from './happy/happy.js';
import inspect from './inspect/inspect.js';
import kimiCli from './kimi/kimi-cli.js';
import langchain from './langchain/langchain.js';
import langfuse from './langfuse/langfuse.js';
import langsmith from './langsmith/langsmith.js';
import mastra from './mastra/mastra.js';
import ollamaChat from './ollama/ollama-chat.js';
import openWebui from './open-webui/open-webui.js';
import openaiChat from './openai/openai-chat.js';
import openaiResponses from './openai/openai-responses.js';
import openaiAgents from './openai-agents/openai-agents.js';
import openclawTrajectory from './openclaw/openclaw-trajectory.js';
import opencode from './opencode/opencode.js';
import openhands from './openhands/openhands.js';
import openhandsSdk from './openhands/openhands-sdk.js';
import openinference from './otel/openinference.js';
import otelGenai from './otel/otel-genai.js';
import otlp from './otel/otlp.js';
import piSession from './pi/pi-session.js';
import promptAnswers from './prompt-answers/prompt-answers.js';
import promptfoo from './promptfoo/promptfoo.js';
import pydanticAi from './pydantic-ai/pydantic-ai.js';
import qwenSession from './qwen/qwen-session.js';
import rooCode from './roo-code/roo-code.js';
import { table } from './shared/table.js';
import llamaFactory from './sharegpt/llama-factory.js';
import sharegpt from './sharegpt/sharegpt.js';
import sweAgent from './swe-agent/swe-agent.js';
import tau2 from './tau2/tau2.js';
import traceLog from './trace-log/trace-log.js';
import usageLog from './usage-log/usage-log.js';
import vercelModel from './vercel/vercel-model.js';
import vercelUi from './vercel/vercel-ui.js';
import vercelUistream from './vercel/vercel-uistream.js';
import vscodeChat from './vscode/vscode-chat.js';

/** A format before it is loaded. */
export interface FormatEntry {
  readonly id: string;
  readonly title: string;
  /** A transcript of this format matches at least one of them. None: the format always comes into question. */
  readonly signatures: readonly string[];
  /** Signatures that rule the format out. */
  readonly unless?: readonly string[];
  /** Whether the format has a `ledger`. */
  readonly hasLedger?: true;
  /** @internal */
  load(): Format;
}

const OWN = table<Omit<FormatEntry, 'id'>>({
  langfuse: {
    title: 'Langfuse traces',
    signatures: ['observations[]', 'traceId type', 'success data'],
    load: () => langfuse,
  },
  'chatgpt-export': {
    title: "ChatGPT's data export: conversations.json",
    signatures: ['mapping{}'],
    load: () => chatgptExport,
  },
  'claude-ai-export': {
    title: "claude.ai's data export: conversations.json",
    signatures: ['uuid sender'],
    load: () => claudeAiExport,
  },
  'open-webui': {
    title: 'Open WebUI chats',
    signatures: ['childrenIds[]', 'chat"" title', 'currentId messages{}'],
    load: () => openWebui,
  },
  langsmith: {
    title: 'LangSmith runs: batches of the SDKs, exported runs',
    signatures: ['@post dotted_order', '@post trace_id', '@patch dotted_order', '@patch trace_id', 'run_type inputs{}'],
    load: () => langsmith,
  },
  'trace-log': {
    title: 'Traces of Weave, Braintrust, MLflow, Helicone',
    signatures: commaList(`
      op_name inputs{}, span_attributes input, metrics{} input, mlflow.spanInputs, @data request_body
    `),
    load: () => traceLog,
  },
  openinference: {
    title: 'OpenInference and OpenTelemetry spans as JSON objects',
    signatures: ['attributes{} context{}', 'attributes{} trace_id', 'attributes{} traceId', 'context.trace_id'],
    load: () => openinference,
  },
  otlp: { title: 'OTLP traces as JSON', signatures: ['resourceSpans[]', 'resource_spans[]'], load: () => otlp },
  atif: {
    title: "ATIF: Harbor's agent trajectories",
    signatures: ['steps[] agent', 'steps[] schema_version', 'source step_id message'],
    load: () => atif,
  },
  autogen: {
    title: 'AutoGen: model calls, states, AgentChat messages',
    signatures: commaList(`
      type source content, type source result, type=SystemMessage, type=UserMessage, type=AssistantMessage,
      type=FunctionExecutionResultMessage, type=TextMessage, agent_states{}, llm_context{}, llm_messages[],
      message_thread[]
    `),
    load: () => autogen,
  },
  'codex-rollout': {
    title: 'Codex CLI rollouts',
    signatures: ['@ type payload{}', 'record_type', 'id timestamp instructions'],
    load: () => codexRollout,
  },
  antigravity: {
    title: 'Google Antigravity step logs',
    signatures: ['type source step_index', 'type source status', 'type source created_at'],
    load: () => antigravity,
  },
  happy: { title: 'Happy app sync dumps', signatures: ['seq content'], load: () => happy },
  'claude-agent-sdk': {
    title: 'Claude Code stream-json, Claude Agent SDK',
    signatures: commaList(`
      type session_id, type parent_tool_use_id, type=control_request, type=control_response,
      type=control_cancel_request, direction message{}
    `),
    load: () => claudeAgentSdk,
  },
  'amp-thread': { title: 'Amp threads', signatures: ['messageId role content[]'], load: () => ampThread },
  'qwen-session': {
    title: 'Qwen Code sessions',
    signatures: ['uuid sessionId message{}', 'uuid sessionId systemPayload{}'],
    load: () => qwenSession,
  },
  'claude-code': {
    title: 'Claude Code session logs',
    signatures: commaList(`
      @ type uuid, @ type sessionId, sessionId message{}, type=user message{} timestamp,
      type=assistant message{} timestamp, leafUuid, type=file-history-snapshot, loglines[]
    `),
    hasLedger: true,
    load: () => claudeCode,
  },
  'cline-ui': {
    title: 'Cline, Roo Code, Kilo Code: ui_messages.json',
    signatures: ['type=say ts# say""', 'type=ask ts# ask""'],
    load: () => clineUi,
  },
  'claude-managed-agents': {
    title: 'Claude Managed Agents: events of sessions',
    signatures: commaList(`
      type processed_at, type=session agent{}, type=event_start event, type=event_delta event_id,
      type=user.message content, type=system.message content, type=user.interrupt,
      type=user.tool_confirmation tool_use_id, type=user.tool_result tool_use_id,
      type=user.custom_tool_result custom_tool_use_id, type=agent.message content, type=agent.tool_result tool_use_id,
      type=agent.mcp_tool_result mcp_tool_use_id, type=agent.thread_message_received content,
      type=agent.thread_message_sent content
    `),
    load: () => claudeManagedAgents,
  },
  'copilot-cli': { title: 'GitHub Copilot CLI event logs', signatures: ['@ type data{} id'], load: () => copilotCli },
  'copilot-debug-log': {
    title: 'Debug logs of Copilot Chat in VS Code',
    signatures: ['ts# spanId attrs{}'],
    load: () => copilotDebugLog,
  },
  'copilot-timeline': {
    title: 'Timelines made of Copilot CLI logs',
    signatures: ['timeline[]'],
    load: () => copilotTimeline,
  },
  'vscode-chat': {
    title: 'VS Code chats: "Chat: Export Chat…", chatSessions',
    signatures: ['requests[] responderUsername', 'requests[] requesterUsername'],
    load: () => vscodeChat,
  },
  'continue-session': {
    title: 'Continue sessions: IDE extensions, CLI',
    signatures: ['message{} contextItems[]'],
    load: () => continueSession,
  },
  'goose-session': {
    title: 'Sessions of goose',
    signatures: ['role created# content[]'],
    load: () => gooseSession,
  },
  'cursor-agent': {
    title: "Transcripts of Cursor's agent",
    signatures: ['role message{}', 'type=turn_ended status'],
    load: () => cursorAgent,
  },
  opencode: {
    title: 'opencode sessions: exports, storage files',
    signatures: ['info{} parts[]', 'sessionID', 'projectID directory', 'id type time{}', 'type=tool state{}'],
    load: () => opencode,
  },
  'kimi-cli': {
    title: 'Kimi CLI wire logs',
    signatures: commaList(`
      type time#, type=context.append_message, type=context.append_loop_event, protocol_version, timestamp# message{}
    `),
    load: () => kimiCli,
  },
  tau2: {
    title: 'tau2-bench simulations',
    signatures: ['@ticks tick_id', 'role turn_idx', 'role=tool id', '@tool_calls name arguments', 'simulations[]'],
    load: () => tau2,
  },
  openhands: {
    title: 'OpenHands events, evaluation and resolver output',
    signatures: ['action args{}', 'action source', 'action timestamp', 'observation content'],
    load: () => openhands,
  },
  'openhands-sdk': {
    title: 'OpenHands SDK events, conversations of the OpenHands CLI',
    signatures: ['kind"" source""'],
    load: () => openhandsSdk,
  },
  'droid-session': {
    title: "Sessions of Factory's Droid",
    signatures: ['type=message message{}', 'type=session_start cwd', 'tokenUsage{}'],
    load: () => droidSession,
  },
  'pi-session': {
    title: 'pi session files',
    signatures: commaList(`
      type=message message{}, role=toolResult, role=bashExecution, role=custom, role=hookMessage, role=branchSummary,
      role=compactionSummary, @content type=toolCall, role stopReason, type=session, type=model_change,
      type=thinking_level_change, type=branch_summary
    `),
    load: () => piSession,
  },
  'openclaw-trajectory': {
    title: 'OpenClaw trajectories',
    signatures: ['traceSchema'],
    load: () => openclawTrajectory,
  },
  'gemini-cli-session': {
    title: 'Gemini CLI sessions',
    signatures: ['type=gemini', 'type=user id timestamp content', 'projectHash', '$set', '$patch', '$rewindTo'],
    load: () => geminiCliSession,
  },
  'gemini-cli-stream': {
    title: 'Gemini CLI stream-json',
    signatures: commaList(`
      type=init session_id model, type=message role timestamp, type=message role ts, type=tool_use tool_name tool_id,
      type=tool_result tool_id status, type=error severity message, type=result status
    `),
    load: () => geminiCliStream,
  },
  'vercel-uistream': {
    title: 'Vercel AI SDK UI message streams',
    signatures: commaList(`
      @ type toolCallId, @ type id delta, @ type=start, @ type=finish, @ type=abort, @ type=start-step,
      @ type=finish-step, @ type=text-start, @ type=text-end, @ type=reasoning-start, @ type=reasoning-end,
      @ type messageMetadata, @ type sourceId, @ type url mediaType, @ type errorText
    `),
    load: () => vercelUistream,
  },
  'vercel-ui': {
    title: 'Vercel AI SDK UI messages: chats of useChat, request bodies',
    signatures: ['@parts type', 'role toolInvocations', 'role content"" id""', 'chat{}'],
    load: () => vercelUi,
  },
  'vercel-model': {
    title: 'Vercel AI SDK model messages: requests, responses, prompts',
    signatures: commaList(`
      system messages[], instructions messages[], prompt[], @content type=tool-call, @content type=tool-result,
      @content type=tool-approval-request, @content type=tool-approval-response, @content type=reasoning text,
      @content type=image image, @content type=file data
    `),
    unless: ['@content type=tool_use', '@content type=tool_result'],
    load: () => vercelModel,
  },
  'gemini-contents': {
    title: 'Gemini contents: requests, responses, ADK sessions',
    signatures: ['contents[]', 'candidates[]', 'parts[]', 'role=model', 'author invocationId', 'author invocation_id'],
    load: () => geminiContents,
  },
  'otel-genai': {
    title: 'OpenTelemetry GenAI messages: lists of role and parts',
    signatures: ['@parts type', 'input_messages[]', 'output_messages[]', 'all_messages[]'],
    load: () => otelGenai,
  },
  'bedrock-converse': {
    title: 'Amazon Bedrock Converse: requests, responses, invocation logs',
    signatures: ['@content alone', 'message_id message{}', 'inputBodyJson'],
    load: () => bedrockConverse,
  },
  inspect: {
    title: 'Inspect AI logs and samples',
    signatures: commaList(`
      @tool_calls function"", role=tool function"", role source=input, role source=generate, @messages role id"",
      @ role id"", samples[]
    `),
    load: () => inspect,
  },
  langchain: {
    title: 'LangChain messages: dumps, LangSmith runs, LangGraph states',
    signatures: commaList(`
      type=constructor, type=human, type=ai, @messages type=system content, @messages type=tool content,
      type=chat content, type=generic content, type=HumanMessage, type=AIMessage, type=AIMessageChunk,
      type=ToolMessage, type=remove id, type additional_kwargs{}
    `),
    load: () => langchain,
  },
  'llama-factory': {
    title: 'LLaMA-Factory message lists (typed values)',
    signatures: ['@content type value'],
    load: () => llamaFactory,
  },
  'roo-code': {
    title: 'Roo Code histories with condensed messages',
    signatures: commaList('condenseId, condenseParent, truncationId, truncationParent'),
    load: () => rooCode,
  },
  'anthropic-messages': {
    title: 'Anthropic Messages: requests, responses, message lists',
    signatures: commaList(`
      @content type, system messages[], system_prompt messages[], max_tokens messages[], type=message role=assistant
    `),
    load: () => anthropicMessages,
  },
  sharegpt: {
    title: 'ShareGPT conversations (LLaMA-Factory)',
    signatures: ['from value', 'conversations[]'],
    load: () => sharegpt,
  },
  'cohere-chat': {
    title: 'Cohere Chat: requests and responses of versions 1 and 2',
    signatures: commaList(`
      tool_plan, @citations sources, @content type=document document, role=SYSTEM, role=USER, role=CHATBOT, role=TOOL,
      chat_history[], tool_results[]
    `),
    load: () => cohereChat,
  },
  'pydantic-ai': { title: 'Pydantic AI messages', signatures: ['part_kind', 'kind parts[]'], load: () => pydanticAi },
  mastra: { title: 'Mastra: stored messages', signatures: ['format# parts[]'], load: () => mastra },
  'openai-agents': {
    title: 'OpenAI Agents SDK for JavaScript: items of sessions',
    signatures: ['type callId', 'type=hosted_tool_call', 'type=reasoning content[]'],
    load: () => openaiAgents,
  },
  'gemini-interactions': {
    title: 'Gemini Interactions: requests, interactions, lists of steps',
    signatures: commaList(`
      type=user_input, type=model_output, type=function_result call_id, steps[] status"", previous_interaction_id,
      system_instruction input, generation_config input, input"" model"", input[] model""
    `),
    load: () => geminiInteractions,
  },
  'openai-responses': {
    title: 'OpenAI Responses: requests, responses, lists of items',
    signatures: commaList(`
      type call_id, type id status, type=compaction id, type=reasoning summary[], @content type=input_text,
      @content type=output_text, @content type=refusal, @content type=input_image, @content type=input_file,
      @content type=input_audio, @ type=message role, input[], input"" model"", output[], items[], data[]
    `),
    load: () => openaiResponses,
  },
  'call-log': {
    title: 'HTTP requests to model APIs: HAR, cassettes, logs of proxies',
    signatures: ['entries[]', 'interactions[]', 'http_interactions[]', 'method body""', 'url body""', 'uri body""'],
    load: () => callLog,
  },
  'prompt-answers': {
    title: 'Prompts with answers: preference data',
    signatures: commaList('chosen rejected, preferred_output non_preferred_output, prompt completion, @choices text'),
    load: () => promptAnswers,
  },
  promptfoo: { title: 'promptfoo results', signatures: ['prompt{} vars{}', 'evalId results'], load: () => promptfoo },
  'usage-log': {
    title: 'Usage without messages: telemetry of Claude Code, Codex and Gemini CLI, spend logs of gateways',
    signatures: commaList(`
      resourceLogs[], resource_logs[], event.name, call_type startTime, native_tokens_prompt,
      request_body response_body, custom_id response, custom_id result, key error, status processed_time,
      recordId modelInput
    `),
    load: () => usageLog,
  },
  'ollama-chat': {
    title: "Ollama's own chat API: requests and responses",
    signatures: commaList(`
      done message{}, role=tool tool_name, name arguments{}, keep_alive messages[], options{} messages[],
      think messages[]
    `),
    load: () => ollamaChat,
  },
  'swe-agent': { title: 'SWE-agent trajectories', signatures: ['role agent""'], load: () => sweAgent },
  'openai-chat': {
    title: 'OpenAI Chat Completions: requests, fine-tuning JSONL, message lists',
    signatures: [],
    load: () => openaiChat,
  },
});

const all: FormatEntry[] = Object.entries(OWN).map(([id, entry]) => ({ id, ...entry }));

/** All formats, each loaded on first use; those of plugins first. */
export const formats: readonly FormatEntry[] = all;

/** Adds formats of plugins until what is returned is called. Throws TranscriptError where an id is taken. */
export function addFormats(added: readonly Format[] = []): () => void {
  return register(all, added.map(entryOf), 'format');
}

/** The entry of a format: its own, if it has one. */
export function entryOf(format: Format): FormatEntry {
  const { id, title = id, signatures = [] } = format;
  const known = all.find((entry) => entry.id === id);
  return known?.load() === format ? known : { id, title, signatures, load: () => format };
}

/** Loads the format with this id. Throws TranscriptError if there is none. */
export function formatNamed(id: string): Format {
  const entry = formats.find((candidate) => candidate.id === id);
  if (entry === undefined)
    throw new TranscriptError(
      'usage',
      `unknown format \`${id}\`; expected one of ${formats.map((candidate) => candidate.id).join(', ')}`,
    );
  return entry.load();
}
