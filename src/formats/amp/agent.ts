import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'amp',
  title: 'Amp',
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
