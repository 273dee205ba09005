import { defineAgent } from '../agent.js';
import { taskStore } from '../cline/task-store.js';
import opencode from '../opencode/agent.js';

/** The command line, `@kilocode/cli` 7.7.9 (2026-11-30), is an opencode; the extension grew out of Roo Code. */
export default defineAgent({
  id: 'kilo-code',
  title: 'Kilo Code',
  stores: [
    taskStore('<data>/kilocode.kilo-code/tasks'),
    {
      folders: ['~/.local/share/kilo'],
      files: /^kilo[^/]*\.db$/,
      database: { ...opencode.stores[0]!.database!, instead: 'kilo export <id> > session.json' },
    },
  ],
});
