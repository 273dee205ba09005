import { defineAgent } from '../agent.js';
import { taskStore } from '../cline/task-store.js';

export default defineAgent({
  id: 'roo-code',
  title: 'Roo Code',
  stores: [taskStore('<data>/rooveterinaryinc.roo-cline/tasks')],
});
