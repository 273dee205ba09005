/**
 * What `goose session import` takes of a session: all messages, or nothing if there is one value that its types refuse.
 * Early versions did not say whom a message is for, and had notices that today's goose does not know; it knows, and
 * leaves out, `conversationCompacted` alone. As serde reads `Session` and `Message`: see goose-session.ts (2026-11-30).
 */
import { type Json, patch, patchEach, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { plural } from '../../text/words.js';
import { type Fault, firstFound, type Line, type Loaded, lineWith, type Resume } from '../resume.js';
import { present } from '../shared/json-fields.js';
import { tornDocument } from '../shared/torn-document.js';
import { typeOf } from './goose-read.js';

const MESSAGES = 'conversation';
const UNKNOWN = new Set(['contextLengthExceeded', 'summarizationRequested']);
const VISIBILITIES = ['userVisible', 'agentVisible'] as const;

export default {
  agent: 'goose',
  claims: (line) => line.get('working_dir')?.isString === true && line.get(MESSAGES)?.isArray === true,
  claimsTorn: (head) => /^\s*\{\s*"id"\s*:\s*"[^"]*",\s*"working_dir"\s*:/.test(head),
  load([line]): Loaded {
    if (line === undefined) return { messages: 0, faults: [] };
    const faults = firstFound(
      () => (line.isDocument ? tornDocument(line, MESSAGES) : []),
      () => (line.node === undefined ? [] : refusals(line, line.node)),
    );
    return { messages: faults.length > 0 ? 0 : (line.node?.get(MESSAGES)?.length ?? 0), faults };
  },
} satisfies Resume;

/** What the session lacks, and what its messages lack or have too much. */
function refusals(line: Line, session: JsonNode): Fault[] {
  const messages = session.get(MESSAGES)?.items() ?? [];
  const lacking = Object.entries(demanded(session, messages.length)).filter(([key]) => !present(session, key));
  const unmarked = messages.filter((message) => !isMarked(message)).length;
  const notices = messages.flatMap((message) => contentsOf(message).filter(isUnknown).map(typeOf));
  const what = [
    ...lacking.map(([key]) => `\`${key}\` is missing`),
    ...(unmarked === 0 ? [] : [`${plural(unmarked, 'message')} without \`metadata\``]),
    ...[...new Set(notices)].map((type) => `it does not know \`${type}\``),
  ];
  if (what.length === 0) return [];
  const mended = patch(session, {
    ...Object.fromEntries(lacking),
    [MESSAGES]: patchEach(session.get(MESSAGES), mendedMessage),
  });
  const text = `goose refuses the session: ${what.join(', ')}`;
  return [{ rule: 'value-refused', line, text, mend: new Map([[line, [lineWith(line, mended)]]]) }];
}

/** Members of a session without a default, and what goose writes for one that it knows nothing of. */
function demanded(session: JsonNode, count: number): Readonly<Record<string, Json>> {
  const created = present(session, 'created_at') ?? '1970-01-01T00:00:00Z';
  return {
    id: '', // an import gives it another
    ...(present(session, 'description') === undefined ? { name: '' } : {}),
    created_at: created,
    updated_at: created,
    extension_data: {},
    message_count: count,
  };
}

function contentsOf(message: JsonNode): readonly JsonNode[] {
  return message.get('content')?.items() ?? [];
}

function isUnknown(block: JsonNode): boolean {
  return UNKNOWN.has(typeOf(block));
}

function isMarked(message: JsonNode): boolean {
  return VISIBILITIES.every((key) => message.get('metadata')?.get(key)?.boolean !== undefined);
}

function mendedMessage(message: JsonNode): Json {
  const metadata = message.get('metadata');
  const [userVisible, agentVisible] = VISIBILITIES.map((key) => metadata?.get(key)?.boolean ?? true);
  const content = message.get('content');
  const marks = { userVisible, agentVisible };
  return patch(message, {
    content:
      content &&
      patchItems(
        content,
        contentsOf(message).filter((block) => !isUnknown(block)),
      ),
    metadata: metadata?.isObject ? patch(metadata, marks) : marks,
  });
}
