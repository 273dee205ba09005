/**
 * The agents whose loaders are known. To add one: a file beside its format (see resume.ts), and an entry here. Signs
 * are what the sessions of an agent have, and few other files: only for these its loader is loaded.
 */
import claudeCode from './anthropic/claude-code-resume.js';
import codex from './codex/codex-resume.js';
import continueDev from './continue/continue-resume.js';
import geminiCli from './gemini/gemini-cli-resume.js';
import goose from './goose/goose-resume.js';
import opencode from './opencode/opencode-resume.js';
import pi from './pi/pi-resume.js';
import qwenCode from './qwen/qwen-resume.js';
import type { Resume } from './resume.js';

export const RESUMES: readonly { readonly signs: RegExp; load(): Resume }[] = [
  { signs: /"parentUuid"/, load: () => claudeCode },
  { signs: /"parentUuid"/, load: () => qwenCode },
  { signs: /"payload"/, load: () => codex },
  { signs: /"parentId"|"type"\s*:\s*"session"/, load: () => pi },
  { signs: /"projectHash"|"type"\s*:\s*"gemini"/, load: () => geminiCli },
  { signs: /"projectID"/, load: () => opencode },
  { signs: /"workspaceDirectory"/, load: () => continueDev },
  { signs: /"working_dir"/, load: () => goose },
];

/** Whether the beginning of a file may be that of a session. */
export function mayBeSession(head: Buffer): boolean {
  const text = head.latin1Slice();
  return RESUMES.some(({ signs }) => signs.test(text));
}
