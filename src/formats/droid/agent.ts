import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'droid',
  title: 'Droid',
  // https://github.com/Factory-AI/factory/blob/main/docs/reference/cli-reference.mdx (2026-11-26)
  resume: 'droid --resume',
  formats: ['droid-session'],
  stores: [
    {
      folders: ['~/.factory/sessions'],
      movedBy: ['DROID_SESSIONS_DIR'],
      files: /\.jsonl$/,
      usage: { of: /(?<=[\da-f]{12})\.jsonl$/, is: '.settings.json', format: 'droid-session', isRow: true },
    },
  ],
});
