import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'droid',
  title: 'Droid',
  stores: [{ folders: ['~/.factory/sessions'], movedBy: ['DROID_SESSIONS_DIR'], files: /\.jsonl$/ }],
});
