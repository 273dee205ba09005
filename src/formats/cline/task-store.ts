/** Where Cline and what grew out of it keep their tasks: a folder each, with what is sent and what is shown. */
import type { Store } from '../agent.js';
import { withoutDeleted } from './deleted-ranges.js';

/** What ends the path of what is sent. */
const SENT = /api_conversation_history\.json$/;

export function taskStore(...folders: readonly string[]): Store {
  return {
    folders,
    files: /^[^/]+\/api_conversation_history\.json$/,
    id: /([^/]+)\/[^/]+$/,
    // of Roo Code (https://github.com/RooCodeInc/Roo-Code, src/shared/globalFileNames.ts, 2026-11-30)
    project: { of: SENT, is: 'history_item.json', member: 'workspace' },
    usage: {
      of: SENT,
      is: 'ui_messages.json',
      format: 'cline-ui',
      sent: (messages, file) => withoutDeleted(messages, file),
    },
  };
}
