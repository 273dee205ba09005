/** The agents whose sessions can be forked. To add one: a file beside its format (see fork.ts), and a line here. */
import claudeCode from './anthropic/claude-code-fork.js';
import codex from './codex/codex-fork.js';
import type { Fork } from './fork.js';
import pi from './pi/pi-fork.js';

export const FORKS: readonly Fork[] = [claudeCode, codex, pi];
