import { defineAgent } from '../agent.js';
import { taskStore } from '../cline/task-store.js';

export default defineAgent({
  id: 'kilo-code',
  title: 'Kilo Code',
  stores: [taskStore('<data>/kilocode.kilo-code/tasks')],
});
