import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'droid',
  title: 'Droid',
  store: { folders: ['~/.factory/sessions'], movedBy: ['DROID_SESSIONS_DIR'], files: /\.jsonl$/ },
});
