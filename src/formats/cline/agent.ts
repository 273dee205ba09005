import { defineAgent } from '../agent.js';
import { taskStore } from './task-store.js';

export default defineAgent({
  id: 'cline',
  title: 'Cline',
  stores: [
    taskStore('<data>/saoudrizwan.claude-dev/tasks', '~/.cline/data/tasks'),
    {
      // of its command line; sub-agents stand in the folder of their session (@cline/core 3.0.65, 2026-11-30)
      folders: ['~/.cline/data/sessions'],
      movedBy: ['CLINE_DATA_DIR'],
      below: ['sessions'],
      isByTime: true,
      files: /\.messages\.json$/,
      parts: /^([^/]+)\/(?!\1\.)/,
      id: /([^/]+)\.messages\.json$/,
      whole: /^([^/]+)/,
      project: { of: /([^/\\]+)([/\\])[^/\\]+\.messages\.json$/, is: '$1$2$1.json', member: 'cwd' },
    },
  ],
});
