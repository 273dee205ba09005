import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'cline',
  title: 'Cline',
  store: {
    folders: ['<data>/saoudrizwan.claude-dev/tasks'],
    files: /^[^/]+\/api_conversation_history\.json$/,
    commonName: 'api_conversation_history',
  },
});
