import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'roo-code',
  title: 'Roo Code',
  store: {
    folders: ['<data>/rooveterinaryinc.roo-cline/tasks'],
    files: /^[^/]+\/api_conversation_history\.json$/,
    commonName: 'api_conversation_history',
  },
});
