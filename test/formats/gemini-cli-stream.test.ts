/** The stream of Gemini CLI beyond the laws: pieces of texts, usage of all requests, copies of errors. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { onCase, saidIn } from '../shared/unread.js';

const deltas = fixture('gemini-cli-stream/hand-deltas.jsonl');
const whole = fixture('gemini-cli-stream/hand-whole.jsonl');

/** The recording with the messages that a function makes of each message; the text is that of its first part. */
function changed(text: string, change: (said: string, message: Message) => readonly Message[]): string {
  return mapText(text, (transcript) => ({
    ...transcript,
    messages: transcript.messages.flatMap((message) => change(textIn(message), message)),
  }));
}

function textIn({ parts: [part] }: Message): string {
  return part?.type === 'text' ? textOf(part.text) : '';
}

describe('a stream', () => {
  it('is one message for the pieces of a text', () => {
    const { detection, transcripts } = openText(deltas);
    expect([detection.format.id, detection.confidence]).toEqual(['gemini-cli-stream', 1]);
    expect(saidIn(transcripts[0]!)).toEqual([
      'user text Which of the notes mention the harbour?',
      'assistant text I look into the folder first.',
      'assistant call list_directory-1770109202300-a1 list_directory {"dir_path":"notes"}',
      'assistant call read_file-1770109202310-b2 read_file {"file_path":"notes/index.md"}',
      expect.stringContaining('tool result list_directory-1770109202300-a1 Listed 3 item(s).'),
      'tool error read_file-1770109202310-b2 File not found: notes/index.md',
      'assistant text Three notes. I search them.',
      'assistant call grep_search-1770109204200-c3 grep_search {"pattern":"harbour","dir_path":"notes"}',
      'tool result grep_search-1770109204200-c3 ',
      'assistant call run_shell_command-1770109205200-d4 run_shell_command {}',
      "tool error run_shell_command-1770109205200-d4 params must have required property 'command'",
      'assistant text Only harbour.md does, by its name.',
    ]);
  });

  it('states session, model, time and the usage of all its requests', () => {
    const [transcript] = openText(deltas).transcripts;
    expect(transcript).toMatchObject({ id: '11111111-aaaa-4000-8000-000000000001', model: 'gemini-3-pro-preview' });
    const recorded = recordedIn(deltas);
    expect(recorded[1]).toEqual({ time: Date.UTC(2026, 1, 3, 9, 0, 0, 100) });
    // 26,400 in all: 26,000 of the prompts, 150 of the replies, so 250 of thoughts
    const usage = { input: 14000, cacheRead: 12000, cacheWrite5m: 0, cacheWrite1h: 0, output: 400, reasoning: 250 };
    expect(recorded.at(-1)).toMatchObject({
      usage,
      billing: { requests: 4 },
      byModel: [{ model: 'gemini-3-pro-preview', usage, billing: { requests: 4 } }],
    });
  });

  it('states the usage of each model', () => {
    expect(recordedIn(whole).at(-1)?.byModel).toMatchObject([
      { model: 'gemini-3-flash-preview', usage: { input: 1040, output: 70 } },
      { model: 'gemini-2.5-flash-lite', usage: { input: 360, output: 40 } },
    ]);
    expect(openText(whole).transcripts[0]!.messages[0]!.role).toBe('user');
  });
});

describe('an edit', () => {
  it('leaves one line for a text that changed, also if it now equals its first piece', () => {
    for (const now of ['I look into ', 'Let me see.']) {
      const text = changed(deltas, (said, message) =>
        said.startsWith('I look') ? [{ ...message, parts: [{ ...message.parts[0], text: now } as Part] }] : [message],
      );
      expect(saidIn(openText(text).transcripts[0]!)[1]).toBe(`assistant text ${now}`);
      expect(linesOf(text)).toHaveLength(linesOf(deltas).length - 2);
    }
  });

  it('removes every piece of a removed text', () => {
    const text = changed(deltas, (said, message) => (said.startsWith('I look') ? [] : [message]));
    expect(text).not.toMatch(/I look|the folder|first\./);
    expect(text).toContain('Loop detected');
  });

  it('keeps texts apart when what stood between them is removed', () => {
    const text = changed(deltas, (said, message) => (said === '' && message.role !== 'meta' ? [] : [message]));
    expect(saidIn(openText(text).transcripts[0]!)).toEqual([
      'user text Which of the notes mention the harbour?',
      'assistant text I look into the folder first.',
      'assistant text Three notes. I search them.',
      'assistant text Only harbour.md does, by its name.',
    ]);
    expect(linesOf(text).filter(({ delta }) => delta)).toHaveLength(5);
  });

  it('keeps the pieces of a text together when a message is put between them', () => {
    const added: Message = { role: 'user', parts: [{ type: 'text', text: 'Wait.' }] };
    const text = changed(deltas, (said, message) => (said.startsWith('I look') ? [message, added] : [message]));
    expect(saidIn(openText(text).transcripts[0]!).slice(1, 3)).toEqual([
      'assistant text I look into the folder first.',
      'user text Wait.',
    ]);
    expect(linesOf(text).find(({ content }) => content === 'Wait.')).toMatchObject({
      timestamp: '2026-02-03T09:00:02.000Z',
    });
  });

  it('writes what a call is made with where the line has it, though nothing is left of it', () => {
    const text = mapText(deltas, (transcript) => ({
      ...transcript,
      messages: transcript.messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => (part.type === 'call' ? { ...part, input: '{}' } : part)),
      })),
    }));
    const calls = (recording: string) => linesOf(recording).filter(({ type }) => type === 'tool_use');
    expect(calls(deltas).filter(({ parameters }) => parameters?.dir_path ?? parameters?.file_path)).not.toEqual([]);
    expect(calls(text).map(({ parameters }) => parameters)).toEqual(calls(deltas).map(() => ({})));
  });

  it('cuts an error in both of its copies', () => {
    const long = deltas.replaceAll('File not found: notes/index.md', `File not found: ${'x'.repeat(200)}`);
    const cut = rewriteText(long, 'truncate', { maxLength: 60, noMinimum: true });
    expect(cut).not.toContain('x'.repeat(100));
    expect(cut.match(/original length/g)).toHaveLength(3);
  });
});

onCase('read/gemini-stream.jsonl', 'one call, one result, model, usage', (text) => {
  const { detection, transcripts } = openText(text);
  expect(detection.format.id).toBe('gemini-cli-stream');
  expect(detection.confidence).toBeGreaterThan(0.9);
  expect(transcripts[0]!.model).toBe('gemini-3-pro-preview');
  expect(saidIn(transcripts[0]!)).toEqual([
    'user text list files',
    'assistant call list_directory-1 list_directory {"dir_path":"."}',
    'tool result list_directory-1 a.txt',
    'assistant text one file',
  ]);
  expect(recordedIn(text).at(-1)?.usage).toMatchObject({ input: 100, cacheRead: 0, output: 50, reasoning: 0 });
});

onCase('unread/gemini-stream-json/figma-eval-65829f23-19f2_transcript.jsonl', 'what the raw JSON says', (text) => {
  const { detection, transcripts } = openText(text);
  expect(detection.format.id).toBe('gemini-cli-stream');
  expect(detection.confidence).toBeGreaterThan(0.9);
  const [transcript] = transcripts;
  expect(transcript).toMatchObject({ id: '0550b100-9836-4f5a-956c-11296b0d2d28', model: 'gemini-3-pro-preview' });
  const lines = linesOf(text);
  const parts = transcript!.messages.flatMap((message) => message.parts);
  expect(parts).toHaveLength(lines.length - 1); // all but the first line of the run
  const calls = parts.filter((part) => part.type === 'call');
  expect(calls.map(({ callId, tool, input }) => [callId, tool, JSON.parse(textOf(input))])).toEqual(
    lines.filter(({ type }) => type === 'tool_use').map((line) => [line.tool_id, line.tool_name, line.parameters]),
  );
  const results = parts.filter((part) => part.type === 'result');
  expect(results.map(({ callId, isError, content }) => [callId, isError, content.map(contentOf)])).toEqual(
    lines
      .filter(({ type }) => type === 'tool_result')
      .map((line) => [line.tool_id, line.status === 'error', line.output === undefined ? [] : [line.output]]),
  );
  expect(parts.filter((part) => part.type === 'text').map(({ text: said }) => textOf(said))).toEqual(
    lines.filter(({ type }) => type === 'message').map(({ content }) => content),
  );
  const times = transcript!.messages.flatMap((message) => transcript!.recorded!(message)?.time ?? []);
  expect(times[2]).toBe(Date.parse('2026-01-30T06:16:21.940Z'));
});

function contentOf(part: Part): string {
  return part.type === 'text' ? textOf(part.text) : '';
}
