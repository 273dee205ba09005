/** New sessions of Gemini CLI: a header, then a message a line. As 0.61.0 loads them (2026-11-26). */
import type { Json, JsonFields } from '../../json/edit.js';
import { sha256 } from '../../text/sha256.js';
import { textOf } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import type { Encode } from '../encode.js';
import { isoTime, type NewMessage, type NewSession, type SessionTarget } from '../session.js';
import { tryParse } from '../shared/json-fields.js';
import tools from './agent-actions.js';
import geminiCli from './gemini-cli-session.js';
import { freshMessage } from './gemini-cli-write.js';
import geminiContents from './gemini-contents.js';

const encode: Encode = { ...geminiContents.encode!, canReuse: undefined, joinsTurns: false };

export default {
  format: geminiCli,
  encode,
  tools,
  // config/projectRegistry.js and storageMigration.js of @google/gemini-cli-core 0.61.0 (2026-11-26): where a project
  // has no name yet, it takes over the folder with the hash, as its earlier versions named it
  takesOver: {
    path: ({ id, project, started, read }) => {
      const folder = projectName(read('projects.json'), project) ?? sha256(project);
      return `${folder}/chats/session-${started.slice(0, 16).replaceAll(':', '-')}-${id.slice(0, 8)}.jsonl`;
    },
    resume: [['gemini', '--resume', '{id}']],
  },
  write(session) {
    const { id, project, title, started, messages } = session;
    const last = messages.at(-1)?.time ?? started;
    const head = {
      ...{ sessionId: id, projectHash: sha256(project), startTime: isoTime(started), lastUpdated: isoTime(last) },
      ...{ kind: 'main', summary: title },
    };
    return { lines: [head, ...messages.flatMap((message, index) => linesOf(message, index, session))] };
  },
} satisfies SessionTarget;

/** Between results and what the user says stands a reply: the CLI would join them, and the API refuses that. */
function linesOf(next: NewMessage, index: number, session: NewSession): Json[] {
  const line = lineOf(next, index, session);
  const endsWithResult = next.message.parts.at(-1)?.type === 'result';
  if (!endsWithResult || session.messages[index + 1]?.message.role === 'assistant') return [line];
  const timestamp = isoTime(next.time);
  return [
    line,
    { id: session.uuid(`reply ${index}`), timestamp, type: 'gemini', content: NO_REPLY, model: next.model },
  ];
}

const NO_REPLY = '[No reply to these results is recorded]';

function lineOf({ message, time, model }: NewMessage, index: number, { uuid }: NewSession): Json {
  const { type, ...fields } = freshMessage({ ...sent(message), model: undefined }) as JsonFields;
  const place = { id: uuid(index), timestamp: isoTime(time), type };
  return type === 'gemini' ? { ...place, ...fields, model: model ?? 'unknown' } : { ...place, ...fields };
}

/** The CLI takes a text with such a beginning for a command or a note of its own, and does not send it. */
const COMMAND = /^\s*(?:[/?]|<session_context>|<hook_context>)/;

function sent(message: Message): Message {
  const [first, ...rest] = message.parts;
  if (message.role !== 'user' || first?.type !== 'text' || !COMMAND.test(textOf(first.text))) return message;
  return { ...message, parts: [{ type: 'text', text: `> ${textOf(first.text)}` }, ...rest] };
}

/** The name of the folder for a project, in the file that holds them all. */
function projectName(file: string | undefined, project: string): string | undefined {
  return tryParse(file ?? '')
    ?.get('projects')
    ?.get(project)?.string;
}
