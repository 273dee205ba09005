import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'opencode',
  title: 'opencode',
  formats: ['opencode'],
  database: {
    folder: '~/.local/share/opencode',
    instead: 'opencode export <id> > session.json', // https://opencode.ai/docs/cli/#export
  },
});
