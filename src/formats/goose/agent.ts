import { defineAgent } from '../agent.js';

export default defineAgent({
  id: 'goose',
  title: 'goose',
  database: {
    folder: '~/.local/share/goose/sessions',
    instead: 'goose session export --format json', // https://block.github.io/goose/docs/guides/goose-cli-commands
  },
});
