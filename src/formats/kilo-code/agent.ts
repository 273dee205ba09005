import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'kilo-code',
  title: 'Kilo Code',
  store: {
    folders: ['<data>/kilocode.kilo-code/tasks'],
    files: /^[^/]+\/api_conversation_history\.json$/,
    commonName: 'api_conversation_history',
  },
});
