/**
 * What Claude Code sends of its records of type `attachment`, in `<system-reminder>` tags. Since version 2.1.268 the
 * record repeats it (`rendered`); before, the words stand in members by the kind of the attachment, and what the agent
 * says around them is not recorded. https://github.com/anthropics/claude-code: `normalizeAttachmentForAPI` of 2.0.57,
 * 2.1.38 and 2.1.88, and sessions of 2.1.251 to 2.1.287 (2026-11-29).
 */
import type { JsonNode } from '../../json/node.js';
import { commaSet, flattened } from '../../lists.js';
import type { Attached } from '../attached.js';
import { table } from '../shared/table.js';

/** The places of the words; lists on the way are gone through. Some have none: the agent knows what to say. */
const SENT = table<string>({
  agent_listing_delta: 'addedLines removedTypes',
  agent_mention: 'agentType',
  async_hook_response: 'response.systemMessage response.hookSpecificOutput.additionalContext',
  auto_mode: '',
  auto_mode_exit: '',
  bash_output_audience_note: 'text',
  batching_reminder_sent: 'text',
  budget_usd: '',
  compact_file_reference: 'filename',
  compaction_reminder: '',
  critical_system_reminder: 'content',
  date_change: 'newDate',
  deferred_tools_delta: 'addedLines removedNames',
  diagnostics: 'files.uri files.diagnostics.message',
  directory: 'path content',
  edited_text_file: 'filename snippet',
  file: 'filename content.file.content content.file.cells.source',
  hook_additional_context: 'hookName content',
  hook_blocking_error: 'hookName blockingError.command blockingError.blockingError',
  hook_stopped_continuation: 'hookName message',
  hook_success: 'hookName content',
  invoked_skills: 'skills.name skills.path skills.content',
  mcp_instructions_delta: 'addedBlocks removedNames',
  mcp_resource: 'server uri content.contents.text',
  memory: 'memories.fullPath memories.content',
  nested_memory: 'content.path content.content',
  opened_file_in_ide: 'filename',
  output_style: 'style',
  output_token_usage: '',
  pdf_reference: 'filename',
  plan_file_reference: 'planFilePath planContent',
  plan_mode: 'planFilePath',
  plan_mode_exit: 'planFilePath',
  plan_mode_reentry: 'planFilePath',
  queued_command: 'prompt',
  read_truncation_notice: 'banner',
  relevant_memories: 'memories.header memories.content',
  selected_lines_in_ide: 'filename content',
  silent_turn_reminder: 'text',
  skill_discovery: 'skills.name skills.description',
  skill_listing: 'content',
  task_reminder: 'content.id content.status content.subject',
  task_status: 'taskId taskType status description deltaSummary outputFilePath',
  team_context: 'teamName agentName',
  teammate_mailbox: 'messages.from messages.text',
  todo: 'content.status content.content',
  todo_reminder: 'content.status content.content',
  token_usage: '',
  total_tokens_reminder: 'text',
  ultra_effort_enter: '',
  ultra_effort_exit: '',
  ultramemory: 'content',
  ultrathink_effort: 'level',
});

/** What only the agent itself and its user read, and copies of the system prompt and of tool definitions. */
const KEPT = commaSet(`
  already_read_file, autocheckpointing, background_task_status, bagel_console, command_permissions, context_efficiency,
  credential_org, current_session_memory, deferred_tools_record, dynamic_skill, edited_image_file, goal_status,
  hook_cancelled, hook_error_during_execution, hook_non_blocking_error, hook_permission_decision, hook_system_message,
  max_turns_reached, prompt_snapshot, structured_output, teammate_shutdown_batch, thinking_drop
`);

/** Of what a hook prints where it succeeds, the agent sends only what begins with these. */
const TOLD_EVENTS = commaSet('SessionStart, UserPromptSubmit');

const RENDERED = 'content content.text';
const MEDIA = 'content.source content.file.base64 content.file.parts content.contents.blob';

export default function attachmentIn(line: JsonNode): Attached | undefined {
  if (line.get('type')?.string !== 'attachment') return undefined;
  const attachment = line.get('attachment');
  const kind = attachment?.get('type')?.string;
  if (attachment === undefined || kind === undefined) return undefined;
  const rendered = line.get('rendered');
  if (rendered?.isArray) return sent(kind, rendered, RENDERED);
  const places = SENT[kind];
  if (KEPT.has(kind) || (kind === 'hook_success' && !isTold(attachment))) return undefined;
  if (places !== undefined) return sent(kind, attachment, places);
  return { kind, texts: allTexts(attachment), media: 0, isKnown: false };
}

function isTold(hook: JsonNode): boolean {
  return TOLD_EVENTS.has(hook.get('hookEvent')?.string ?? '') && hook.get('content')?.string !== '';
}

/** Nothing is sent where a list of what was sent is empty. */
function sent(kind: string, holder: JsonNode, places: string): Attached | undefined {
  if (holder.isArray && holder.length === 0) return undefined;
  const texts = valuesAt(holder, places).filter((value) => value.isString && value.byteLength > 0);
  return { kind, texts, media: valuesAt(holder, MEDIA).length, isKnown: true };
}

function valuesAt(holder: JsonNode, places: string): readonly JsonNode[] {
  return places.split(' ').flatMap((place) => {
    if (place === '') return [];
    const step = (nodes: readonly JsonNode[], key: string) =>
      flattened(nodes.map((node) => itemsOf(node.isObject ? node.get(key) : undefined)));
    return place.split('.').reduce<readonly JsonNode[]>(step, itemsOf(holder));
  });
}

function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  if (node === undefined || node.isNull) return [];
  return node.isArray ? node.items() : [node];
}

/** All strings in it, except for the names of types. */
function allTexts(attachment: JsonNode): JsonNode[] {
  const texts: JsonNode[] = [];
  const pending = [attachment];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.isString && node.byteLength > 0) texts.push(node);
    for (const item of node.items().reverse()) pending.push(item);
    for (const { key, value } of node.members().reverse()) if (key.text !== 'type') pending.push(value);
  }
  return texts;
}
