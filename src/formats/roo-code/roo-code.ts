/**
 * Histories of Roo Code, and of Kilo Code, which grew out of it (`api_conversation_history.json`), with messages that
 * it no longer sends: as in Anthropic Messages, but `condenseParent` names the summary in place of a message, by its
 * `condenseId`, and `truncationParent` the marker, by its `truncationId`. Where the user went back before those, the
 * names point nowhere, and the messages are sent again.
 * https://github.com/RooCodeInc/Roo-Code/blob/main/src/core/condense/index.ts (getEffectiveApiHistory, 2026-11-30)
 */
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import anthropic from '../anthropic/anthropic-messages.js';
import { defineFormat } from '../format.js';
import { recordedOf, timeOf } from '../shared/recorded.js';

/** The member that names what stands for messages, and the one with which they name it. */
const LINKS = [
  ['condenseId', 'condenseParent'],
  ['truncationId', 'truncationParent'],
] as const;

export default defineFormat({
  id: 'roo-code',
  traits: anthropic.traits,
  wraps: { format: anthropic.id, inner: (raw) => raw },
  byteHints: anthropic.byteHints!,
  messagePaths: ['messages'],
  /** Each message says when it was written. Histories that have none of the names are Anthropic Messages. */
  score(raw) {
    const score = raw.get('ts')?.number === undefined ? 0 : anthropic.score(raw);
    if (score <= 0) return score;
    return LINKS.flat().some((key) => raw.get(key)?.isString) ? 1 : score - 0.01;
  },
  read(raw) {
    const message = anthropic.read(raw);
    const link = LINKS.find(([id]) => raw.get(id)?.isString);
    if (link === undefined) return message;
    const [id, parent] = [raw.get(link[0])!.text, link[1]];
    const isReplaced = ({ raw: other }: Message) => other instanceof JsonNode && other.get(parent)?.string === id;
    return { ...message, keeps: (sent) => sent.filter((one) => !isReplaced(one)) };
  },
  write: anthropic.write,
  describe: (record) => ({ id: record.get('id')?.string }),
  recorded: (raw) => recordedOf({ time: timeOf(raw.get('ts')) }),
});
