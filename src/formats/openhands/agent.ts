/** https://github.com/OpenHands/OpenHands-CLI/blob/main/openhands_cli/locations.py (2026-11-30) */
import { patch } from '../../json/edit.js';
import { defineAgent, type Spread } from '../agent.js';

/** The state of a conversation, and a file for each of its events. */
const SPREAD: Spread = {
  of: /(?<=\/)base_state\.json$/,
  session(own, filesIn) {
    const events = filesIn('events');
    return events.length === 0 ? undefined : patch(own, { events });
  },
};

export default defineAgent({
  id: 'openhands',
  title: 'OpenHands',
  resume: 'openhands --resume', // https://docs.openhands.dev/openhands/usage/cli/resume (2026-11-30)
  formats: ['openhands', 'openhands-sdk'],
  stores: [
    {
      folders: ['~/.openhands/conversations'],
      movedBy: ['OPENHANDS_CONVERSATIONS_DIR'],
      files: /^[^/]+\/base_state\.json$/,
      id: /([^/]+)\/base_state\.json$/,
      spread: SPREAD,
    },
  ],
});
