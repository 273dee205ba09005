/** Conversations of claude.ai's export: blocks, files, branches, and the copies that follow edits. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import format from '../../src/formats/claude/claude-ai-export.js';
import { testFormat } from '../../src/plugin.js';
import { textOf } from '../../src/transcript/text.js';
import type { Part, Transcript } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const FILE = 'fixtures/formats/claude-ai-export/hand-conversations.json';
const text = readFileSync(FILE, 'utf8');

interface Message {
  uuid: string;
  text: string;
  parent_message_uuid?: string;
  content: { type: string; text?: string; display_content?: unknown }[];
  attachments: { extracted_content: string }[];
}
const messagesIn = (json: string | Uint8Array) =>
  (JSON.parse(json.toString()) as { chat_messages: Message[] }[]).map((one) => one.chat_messages);
const said = (part: Part): string => {
  if (part.type === 'call') return `${part.tool}(${textOf(part.input)})`;
  if (part.type === 'result') return `${part.tool}: ${part.content.map(said).join('|')}`;
  return 'text' in part && part.text !== undefined ? textOf(part.text) : part.type;
};
const linesIn = ({ messages }: Transcript) => messages.map(({ role, parts }) => `${role} ${parts.map(said).join('|')}`);
const edited = (change: (part: Part) => Part[]) =>
  mapText(Buffer.from(text), (transcript) => ({
    ...transcript,
    messages: transcript.messages.map((message) => ({ ...message, parts: message.parts.flatMap(change) })),
  }));

it('keeps the laws of formats', () => testFormat(format, { [FILE]: text }));

it('reads blocks, files and early messages; what the user left is a branch', () => {
  const { detection, transcripts } = openText(text);
  expect([detection.format.id, detection.confidence]).toEqual(['claude-ai-export', 1]);
  expect(transcripts.map((transcript) => [transcript.title, ...linesIn(transcript)])).toEqual([
    [
      'Port of a server',
      'user port: 8080\nhost: localhost\n|media|Which port does the server listen on?',
      'assistant The file says 8080; I look at the documents, too.|I look it up.|' +
        'web_search({"query": "default port of the server"})|web_search: By default the server listens on port 80.|' +
        'repl({"code": "8080 > 1024"})|repl: true|It listens on port 8080, as the file sets it.',
      'user Can an ordinary user open it?',
      'assistant Yes: ports from 1024 on need no rights.',
    ],
    ['Port of a server', 'user And which user runs it?', 'assistant The file does not say that.'],
    [undefined, 'user Name a prime above 100.', 'assistant 101 is one.'],
    [undefined],
  ]);
});

it('edits reach the texts, their copies and what the user is shown', () => {
  const masked = edited((part) => {
    const mask = <P extends Part>(one: P): P =>
      'text' in one ? { ...one, text: textOf(one.text!).replace(/port/gi, '****') } : one;
    return [part.type === 'result' ? { ...part, content: part.content.map(mask) } : mask(part)];
  }).toString();
  const [first, , last] = messagesIn(masked);
  expect(first![0]!.attachments[0]!.extracted_content).toBe('****: 8080\nhost: localhost\n');
  expect(first!.map((message) => message.text).join('\n')).not.toMatch(/port(?!ed)/i);
  expect(JSON.stringify(first![1]!.content)).not.toContain('listens on port 80');
  expect(first![1]!.text).toMatch(/^I look it up\.\n```\nThis block .*\n```\nIt listens on \*{4} 8080/s);
  expect(last).toEqual([]);
});

it('a text that goes is gone from the copy, and blocks that say nothing stay', () => {
  const [first] = messagesIn(
    edited((part) => (part.type === 'text' && textOf(part.text) === 'I look it up.' ? [] : [part])),
  );
  expect(first![1]!.text).toMatch(/^\n```\nThis block/);
  expect(first![1]!.content.map(({ type }) => type)).toEqual([
    ...['thinking', 'tool_use', 'tool_result', 'token_budget', 'tool_use', 'tool_result', 'text'],
  ]);
});

it('links go on where messages go', () => {
  const out = mapText(Buffer.from(text), (transcript) =>
    transcript.abandoned
      ? transcript
      : { ...transcript, messages: transcript.messages.filter((_, index) => index !== 1) },
  );
  const [first] = messagesIn(out);
  const parents = first!.map((message) => first!.findIndex(({ uuid }) => uuid === message.parent_message_uuid));
  expect(parents).toEqual([-1, 0, 1, 0, 3]);
});

it('each way of a conversation has the id of the conversation, and one of its own', () => {
  const uuids = (JSON.parse(text) as { uuid: string }[]).map(({ uuid }) => uuid);
  const ids = openText(text).transcripts.map(({ id }) => id!);
  expect(ids.filter((id) => !uuids.some((uuid) => id.startsWith(uuid)))).toEqual([]);
  expect([ids.length, new Set(ids).size, uuids.every((uuid) => ids.includes(uuid))]).toEqual([4, 4, true]);
});

it('an image that goes takes its copy in files_v2 with it, and arguments that are null stay so', () => {
  const [image, paper] = [
    { file_kind: 'image', file_uuid: 'f1', file_name: 'p.png' },
    { file_kind: 'document', file_uuid: 'f2', file_name: 'q.pdf' },
  ];
  const at = { created_at: '2026-01-01T00:00:00Z', attachments: [], files: [] };
  const nameless = { file_name: 'old.jpg' };
  const asked = { ...at, uuid: 'm1', sender: 'human', text: 'look', content: [{ type: 'text', text: 'look' }] };
  const blocks = [
    { type: 'tool_use', id: null, name: 'artifacts', input: null },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'text', text: 'fine' },
  ];
  const answered = { ...at, uuid: 'm2', sender: 'assistant', text: 'fine', content: blocks };
  const chat = (files: object[], copies: object[], content: object[]) =>
    JSON.stringify([
      {
        uuid: 'c',
        name: 'n',
        chat_messages: [
          { ...asked, files, files_v2: copies },
          { ...answered, content },
        ],
      },
    ]);
  expect(rewriteText(chat([image, nameless, paper], [image, paper], blocks), 'prune', { images: true })).toBe(
    chat([paper], [paper], [blocks[0]!, blocks[2]!]),
  );
});
