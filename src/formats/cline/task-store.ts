/** Where Cline and what grew out of it keep their tasks: a folder each, with what is sent and what is shown. */
import type { Store } from '../agent.js';

export function taskStore(...folders: readonly string[]): Store {
  return {
    folders,
    files: /^[^/]+\/api_conversation_history\.json$/,
    id: /([^/]+)\/api_conversation_history\.json$/,
    usage: { of: /api_conversation_history\.json$/, is: 'ui_messages.json', format: 'cline-ui' },
  };
}
