import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'continue',
  title: 'Continue',
  // In a copy of the session; `cn --resume` takes the last one: https://docs.continue.dev/cli/quick-start (2026-11-30)
  resume: 'cn --fork',
  formats: ['continue-session'],
  stores: [
    {
      folders: ['~/.continue/sessions'],
      movedBy: ['CONTINUE_GLOBAL_DIR'],
      below: ['sessions'],
      files: /^(?!sessions\.json$)[^/]+\.json$/,
    },
  ],
});
