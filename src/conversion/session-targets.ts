/** The formats of agents' sessions that are written from scratch. To add one: a file beside its format, a line here. */
import claudeCode from '../formats/anthropic/claude-code-session.js';
import atif from '../formats/atif/atif-session.js';
import codex from '../formats/codex/codex-session.js';
import geminiCli from '../formats/gemini/gemini-cli-new-session.js';
import opencode from '../formats/opencode/opencode-session.js';
import pi from '../formats/pi/pi-new-session.js';
import type { SessionTarget } from '../formats/session.js';

export const SESSION_TARGETS: readonly SessionTarget[] = [claudeCode, codex, pi, opencode, geminiCli, atif];

export function sessionTargetNamed(format: string): SessionTarget | undefined {
  return SESSION_TARGETS.find((target) => target.format.id === format);
}
