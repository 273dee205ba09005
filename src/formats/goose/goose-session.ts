/**
 * Sessions of goose, as `goose session export --format json` writes them and `goose session import` reads them: a row
 * of its database, with the messages in `conversation`. Neither the system prompt nor the tools are in it. Before each
 * request, goose itself leaves out calls without a result, results without a call and messages without a content, and
 * joins messages of one role (`fix_conversation`). Unpaired calls are told all the same: `patch` keeps them.
 * https://github.com/aaif-goose/goose/blob/main/crates/goose/src/session/session_manager.rs (`Session`, 2026-11-30)
 * https://github.com/aaif-goose/goose/blob/main/crates/goose/src/conversation/mod.rs (2026-11-30)
 */
import type { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { CALLS, isMarked, NOTICES, ROLES, readGoose, typeOf } from './goose-read.js';
import { gooseTotals, recordedIn } from './goose-usage.js';
import { writeGoose } from './goose-write.js';

/** What goose calls a session that nobody named. */
const UNTITLED = /^(?:CLI Session|New session \d+)$/;

export default defineFormat({
  id: 'goose-session',
  traits: { resultsShareMessage: true, flagsErrors: true, takesNoSystem: true },
  messagePaths: ['conversation', 'messages'],
  byteHints: { toolCalls: ['"tool'], usage: ['"usage"'] },
  copies: ['structuredContent'],
  score(raw) {
    const content = raw.get('content');
    const isMessage = (raw.get('role')?.string ?? '') in ROLES && content?.isArray === true;
    if (!isMessage || raw.get('created')?.number === undefined) return 0;
    return isMarked(raw) || content.items().some(isOwn) ? 1 : 0.6;
  },
  claimsRecord: (record) =>
    record.get('working_dir')?.isString === true && record.get('conversation')?.isArray === true,
  read: (raw) => readGoose(raw),
  write: writeGoose,
  describe(record) {
    const title = (record.get('name') ?? record.get('description'))?.string;
    return {
      id: record.get('id')?.string,
      model: record.get('model_config')?.get('model_name')?.string,
      project: record.get('working_dir')?.string,
      title: title === undefined || UNTITLED.test(title) ? undefined : title,
      reply: gooseTotals(record),
    };
  },
  recorded: recordedIn,
});

function isOwn(block: JsonNode): boolean {
  const type = typeOf(block);
  return CALLS.has(type) || NOTICES.has(type) || type === 'toolResponse' || type === 'redactedThinking';
}
