import { defineAgent, idOfFirst } from '../agent.js';

export default defineAgent({
  id: 'pi',
  title: 'pi',
  resume: 'pi --session',
  formats: ['pi-session'],
  stores: [
    {
      folders: ['~/.pi/agent/sessions'],
      movedBy: ['PI_AGENT_DIR', 'PI_CODING_AGENT_DIR'],
      below: ['sessions'],
      files: /^[^/]+\/[^/]+\.jsonl$/,
      id: /\/(?:[^/]*_)?([^/]+)\.jsonl$/,
      idInside: idOfFirst('session'),
    },
  ],
});
