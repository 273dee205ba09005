/**
 * What Continue goes on with of a session: all items of its `history`, those of role `system` too. A file that is no
 * JSON it takes for a session without messages. As `HistoryManager.load` in core/util/history.ts of @continuedev/cli
 * 1.5.47 does it (2026-11-30).
 */
import type { Loaded, Resume } from '../resume.js';
import { tornDocument } from '../shared/torn-document.js';

export default {
  agent: 'continue',
  claims: (line) => line.get('workspaceDirectory')?.isString === true && line.get('history')?.isArray === true,
  claimsTorn: (head) => /^\s*\{\s*"sessionId"\s*:\s*"[^"]*",\s*"title"\s*:[^{}[\]]*"workspaceDirectory"\s*:/.test(head),
  load([line]): Loaded {
    const faults = line?.isDocument ? tornDocument(line, 'history') : [];
    return { messages: line?.node?.get('history')?.length ?? 0, faults };
  },
} satisfies Resume;
