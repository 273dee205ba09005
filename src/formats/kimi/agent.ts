import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'kimi',
  title: 'Kimi CLI',
  formats: ['kimi-cli'],
  store: {
    folders: ['~/.kimi/sessions'],
    movedBy: ['KIMI_DATA_DIR'],
    below: ['sessions'],
    files: /^[^/]+\/[^/]+\/context\.jsonl$/,
    commonName: 'context',
  },
});
