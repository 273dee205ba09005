/** Where Cline and what grew out of it keep their tasks: a folder each, with what is sent and what is shown. */
import type { Store } from '../agent.js';

export function taskStore(...folders: readonly string[]): Store {
  return {
    folders,
    files: /^[^/]+\/api_conversation_history\.json$/,
    id: /([^/]+)\/api_conversation_history\.json$/,
    // of Roo Code (https://github.com/RooCodeInc/Roo-Code, src/shared/globalFileNames.ts, 2026-11-30)
    project: { of: /api_conversation_history\.json$/, is: 'history_item.json', member: 'workspace' },
    usage: { of: /api_conversation_history\.json$/, is: 'ui_messages.json', format: 'cline-ui' },
  };
}
