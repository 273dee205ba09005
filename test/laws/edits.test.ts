/**
 * Whatever a program does to the messages of a recording, `save` writes all that they say, or refuses with a place: it
 * loses nothing, and never ends with an error of its own.
 */
import { expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import { type Message, open, type Part, save } from '../../src/index.js';
import { ALL } from '../shared/effort.js';
import { letters, lettersIn, parsed, saidIn, TELLING } from '../shared/letters.js';
import { fixtures, type Recording } from '../shared/recordings.js';

type Edit = (messages: readonly Message[]) => readonly Message[];

const isSaid = ({ role }: Message) => role !== 'meta' && role !== 'system';
const text = (said: string) => ({ type: 'text', text: said }) as const;
const mapParts = (change: (part: Part) => Part): Edit => {
  return (messages) => messages.map((message) => ({ ...message, parts: message.parts.map(change) }));
};

const EDITS: Readonly<Record<string, Edit>> = {
  'the other way round': (messages) => {
    const said = messages.filter(isSaid).reverse().values();
    return messages.map((message) => (isSaid(message) ? said.next().value! : message));
  },
  'the last one first': (messages) => {
    const [first, last] = [messages.findIndex(isSaid), messages.findLastIndex(isSaid)];
    if (first === last) return messages;
    return [...messages.slice(0, first), messages[last]!, ...messages.slice(first, last), ...messages.slice(last + 1)];
  },
  'two of one role as one': (messages) => {
    const joined: Message[] = [];
    for (const message of messages) {
      const last = joined.at(-1);
      if (last !== undefined && isSaid(message) && last.role === message.role && message.role !== 'tool')
        joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
      else joined.push(message);
    }
    return joined;
  },
  'what the user said, at the end': (messages) => {
    const users = messages.filter(({ role }) => role === 'user').slice(0, 3);
    const left = messages.map((message) =>
      users.includes(message) ? { ...message, parts: [text('short')] } : message,
    );
    return [...left, ...users.map(({ parts }): Message => ({ role: 'user', parts }))];
  },
  'a text in front': (messages) =>
    messages.map((message) =>
      message.role === 'user' ? { ...message, parts: [text('In front.'), ...message.parts] } : message,
    ),
  'a thought in front': (messages) =>
    messages.map((message) =>
      message.role === 'assistant'
        ? { ...message, parts: [{ type: 'thinking', text: 'I had a thought.' }, ...message.parts] }
        : message,
    ),
  'other thoughts': mapParts((part) => (part.type === 'thinking' ? { ...part, text: 'Another thought.' } : part)),
  'other tools': mapParts((part) => (part.type === 'call' ? { ...part, tool: 'renamed', input: '{"z":["y"]}' } : part)),
  'other results': mapParts((part) =>
    part.type === 'result' ? { ...part, content: [text('What came back.'), text('And more.')] } : part,
  ),
  'other roles': (messages) =>
    messages.map((message, at) =>
      message.role === 'user' && at % 2 === 1 ? { ...message, role: 'assistant' } : message,
    ),
  'a call between': (messages) =>
    messages.flatMap((message, at): Message[] => {
      if (message.role !== 'assistant' || at % 3 !== 0) return [message];
      const call = { callId: `added_${at}`, tool: 'added' };
      return [
        message,
        { role: 'assistant', parts: [{ type: 'call', ...call, input: '{"q":"asked"}' }] },
        { role: 'tool', parts: [{ type: 'result', ...call, content: [text('Answered.')] }] },
      ];
    }),
};

const LONG = ALL ? 40_000 : 25_000;

/** The values of a text of JSON or JSON Lines. */
function valuesIn(saved: string): unknown {
  return parsed(saved) ?? saved.split('\n').map((line) => parsed(line.replace(/^data: /, '')) ?? null);
}

/** Recordings, by the beginnings of their names, in which a text does not stand as it is read. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'gemini-cli-stream/': 'in pieces',
  'vercel-uistream/': 'in pieces',
  'tau2/hand-voice': 'in pieces',
  'vscode-chat/': 'a result is a tree of nodes',
  'opencode/hand-plugin.json': 'the agent writes a note in place of a result',
  'open-webui/hand-blocks.json': 'as HTML in a content',
  'openai-chat/hand-bytes.jsonl': 'with bytes that are no text',
  'pi-session/assistant-message.json': 'one value over many lines, and then another one',
};
const isElsewhere = ({ name }: Recording) => Object.keys(ELSEWHERE).some((beginning) => name.startsWith(beginning));
const tried = fixtures().filter((recording) => recording.bytes.length < LONG && !isElsewhere(recording));

/** Of each recording every third edit, beginning with another one. */
const TURNS = 3;
const trials = { all: 0, saved: 0 };

it.each(tried.map((recording, at) => ({ ...recording, at })))('$name', ({ bytes, at }) => {
  const recording = open(bytes);
  for (const [what, edit] of Object.entries(EDITS).filter((_, index) => index % TURNS === at % TURNS)) {
    const after = recording.transcripts.map((one) => ({ ...one, messages: edit(one.messages) }));
    trials.all++;
    try {
      const saved = save(recording, after).toString();
      trials.saved++;
      const holds = [...lettersIn(valuesIn(saved)), letters(saved)];
      const said = after.flatMap(({ messages }) => messages.flatMap(({ parts }) => parts.flatMap(saidIn)));
      const lost = said
        .map(letters)
        .filter((one) => one.length >= TELLING && !holds.some((held) => held.includes(one)));
      expect([what, lost]).toEqual([what, []]);
    } catch (error) {
      if (!isTranscriptError(error)) throw error;
      expect([what, error.code]).not.toEqual([what, 'defect']);
    }
  }
});

it('most are saved, not refused', () => {
  expect(trials.saved / trials.all).toBeGreaterThan(0.7);
});
