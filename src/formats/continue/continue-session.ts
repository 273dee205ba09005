/**
 * Sessions of Continue, of its IDE extensions and its command line `cn` (`~/.continue/sessions/<id>.json`): `history`
 * holds items `{message, contextItems}`. What a user's message refers to stands in its `contextItems`, calls in
 * `message.toolCalls`, and each call again, with its result, in `toolCallStates`; in early versions there is one
 * `toolCallState`. As @continuedev/cli 1.5.47 reads and sends them: `core/util/messageConversion.ts`,
 * `core/util/history.ts`, and the extensions' `gui/src/redux/util/constructMessages.ts` (2026-11-30).
 */
import { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { followEdits } from './continue-copies.js';
import { messageIn, ROLES, readItem } from './continue-read.js';
import { describeUsage, usageIn } from './continue-usage.js';
import { freshItem, writeItem } from './continue-write.js';

/** What Continue calls a session that nobody named. */
const UNTITLED = new Set(['Untitled Session', 'New Session']);

export default defineFormat({
  id: 'continue-session',
  traits: { flagsErrors: true, resultsStandInCalls: true, systemIsMessage: true },
  messagePaths: ['history'],
  byteHints: { toolCalls: ['"toolCall'], usage: ['"usage"'] },
  copies: ['editorState', 'promptLogs'],
  score(raw) {
    const isItem = raw.get('contextItems')?.isArray && (messageIn(raw)?.get('role')?.string ?? '') in ROLES;
    return isItem ? 1 : 0;
  },
  claimsRecord: (record) => record.get('sessionId')?.isString === true && record.get('history')?.isArray === true,
  read: readItem,
  write: (message) => (message.raw instanceof JsonNode ? writeItem(message, message.raw) : freshItem(message)),
  beforeWrite: followEdits,
  describe(record) {
    const title = record.get('title')?.string;
    const folder = record.get('workspaceDirectory')?.string;
    return {
      id: record.get('sessionId')?.string,
      title: title === undefined || UNTITLED.has(title) ? undefined : title,
      project: folder ? folder.replace(/^file:\/\//, '') : undefined,
      ...describeUsage(record),
    };
  },
  recorded: (raw) => usageIn(messageIn(raw)),
});
