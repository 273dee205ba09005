import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'amp',
  title: 'Amp',
  resume: 'amp threads continue', // https://ampcode.com/manual (2026-11-26)
  formats: ['amp-thread'],
  stores: [
    {
      folders: ['~/.local/share/amp/threads'],
      movedBy: ['AMP_DATA_DIR'],
      below: ['threads'],
      files: /^T-[^/]+\.json$/,
    },
  ],
});
