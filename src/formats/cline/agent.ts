import { defineAgent } from '../agent.js';
import { taskStore } from './task-store.js';

export default defineAgent({
  id: 'cline',
  title: 'Cline',
  stores: [taskStore('<data>/saoudrizwan.claude-dev/tasks', '~/.cline/data/tasks')],
});
