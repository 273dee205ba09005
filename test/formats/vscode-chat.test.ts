/** Chats of VS Code: what the model wrote and got, and what is only shown of it. */
import { describe, expect, it } from 'vitest';
import { pair } from '../../src/transcript/pairs.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { NO_USAGE } from '../../src/transcript/usage.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { itReads, outline, saidIn } from '../shared/unread-files.js';

const agent = fixture('vscode-chat/hand-agent.json');
const shown = fixture('vscode-chat/hand-shown.json');
const first = (text: string): Transcript => openText(text).transcripts[0]!;
const without = (text: string, isGone: (message: Message, index: number) => boolean) =>
  mapText(text, (transcript) => ({
    ...transcript,
    messages: transcript.messages.filter((message, index) => !isGone(message, index)),
  }));

describe('a chat with rounds', () => {
  it('is read from the rounds, with the prompts that the model got', () => {
    expect(outline(first(agent))).toEqual([
      "user: <environment_info>\nThe user's current OS is: Linux\n</environment_info>\n",
      expect.stringContaining('<userRequest>\nLet the server listen on the port in PORT.\n</userRequest>'),
      "assistant: thinking The port is hard-coded somewhere. + I'll look for the port in `server.ts` first. + " +
        'grep_search({"query": "listen", "isRegexp": false})',
      'tool: = 1 match\n<match path="/home/me/app/src/server.ts" line=9>\napp.listen(3000);\n</match>',
      'assistant: replace_string_in_file({"filePath": "/home/me/app/src/server.ts", ' +
        '"oldString": "app.listen(3000);", "newString": "app.listen(process.env.PORT ?? 3000);"}) + ' +
        'run_in_terminal({"command": "npm test"})',
      'tool: = The following files were successfully edited:\n/home/me/app/src/server.ts',
      'tool: = 3 tests passed, 0 failed',
      'assistant: The server now listens on `PORT`, or on 3000.',
      'user: Thanks. And the README?',
      'assistant: Which section shall I change?',
    ]);
    expect(pair(first(agent).messages).calls.map(({ results }) => results.length)).toEqual([1, 1, 1]);
  });

  it('states model, time and usage of the last request of each turn, or of each round', () => {
    const { messages, recorded } = first(agent);
    expect(messages.filter(({ role }) => role === 'assistant').map((message) => recorded!(message))).toEqual([
      { model: 'claude-sonnet-4.5', time: 1767000003000 },
      { model: 'claude-sonnet-4.5', time: 1767000001000 },
      {
        requestId: 'request_1c5d3a52-0f0e-4b3c-9a43-6d7f0f6f1a01',
        model: 'claude-sonnet-4.5',
        time: 1767000001000,
        usage: { ...NO_USAGE, input: 5210, output: 48 },
      },
      {
        requestId: 'r_9',
        model: 'claude-sonnet-4.5',
        time: 1767000100000,
        usage: { ...NO_USAGE, input: 1000, cacheRead: 5000, output: 9 },
      },
    ]);
  });

  it('shows no text that was removed', () => {
    const isGone = ({ parts }: Message) => JSON.stringify(parts).includes('process.env.PORT');
    const after = without(agent, (message) => isGone(message) || message.role === 'tool');
    expect(after).not.toContain('process.env.PORT');
    expect(after).not.toContain('3 tests passed');
    expect(after).toContain('The server now listens on `PORT`');
    expect(JSON.parse(after).requests[1]).toEqual(JSON.parse(agent).requests[1]);
    const blind = without(agent, (_, index) => index === 1);
    expect(blind).not.toContain('on the port in PORT.');
  });

  it('keeps results that answer calls, cut in the place of their tree', () => {
    const after = rewriteText(agent, 'truncate', { maxLength: 40, noMinimum: true });
    const { toolCallResults } = JSON.parse(after).requests[0].result.metadata;
    expect(toolCallResults['toolu_01GrepPort__vscode-1767000000001']).toEqual({
      $mid: 20,
      content: [{ $mid: 23, value: expect.stringContaining('truncated, original length: 83') }],
    });
    expect(after).not.toContain('successfully edited:');
  });

  it('begins a request with a message of the user that was added', () => {
    const after = mapText(agent, (transcript) => {
      const messages = [...transcript.messages];
      messages.splice(7, 0, { role: 'user', parts: [{ type: 'text', text: 'Stop, then go on.' }] });
      return { ...transcript, messages };
    });
    const told = outline(first(after));
    expect(told).toHaveLength(11);
    expect(told.slice(6, 9)).toEqual([
      'tool: = 3 tests passed, 0 failed',
      'user: Stop, then go on.',
      'assistant: The server now listens on `PORT`, or on 3000.',
    ]);
  });
});

describe('a chat that is only shown', () => {
  it('is read from the response', () => {
    expect(outline(first(shown))).toEqual([
      'user: Which files use the old API?',
      'assistant: Let me search the workspace. + copilot_findFiles({}) + mcp_docs_get_docs({"name":"old-api"})',
      'tool: = Searched for files matching `**/*.ts`, 12 matches',
      'tool: = old-api was removed in version 3.',
      expect.stringMatching(
        /^assistant: thinking Twelve files, .* \+ Only server\.ts uses it\..*import \{ serve \}.*run_in/s,
      ),
      'tool: = built in 2 seconds',
      'assistant: It builds.',
      'user: Good.',
    ]);
  });

  it('loses the parts of messages that are gone', () => {
    const after = without(shown, (_, index) => index >= 4);
    expect(after).not.toContain('new-api');
    expect(after).not.toContain('built in 2 seconds');
    expect(JSON.parse(after).requests[0].response).toHaveLength(3);
  });
});

it('a round in which the model said nothing is no message', () => {
  const chat = JSON.parse(agent);
  const rounds = chat.requests[0].result.metadata.toolCallRounds;
  const more = { response: '', toolCalls: [], id: 'r_empty' };
  const text = (list: unknown[]) => {
    chat.requests[0].result.metadata.toolCallRounds = list;
    return outline(first(JSON.stringify(chat)));
  };
  expect(text([...rounds.slice(0, 1), more, ...rounds.slice(1)])).toEqual(outline(first(agent)));
  const thinking = text([...rounds.slice(0, 1), { ...more, thinking: { text: 'Hm.' } }, ...rounds.slice(1)]);
  expect(thinking.filter((line) => line.startsWith('assistant: thinking Hm.'))).toHaveLength(1);
});

itReads('vscode-chat/Orbital-Clash_copilot-chat.json', 'is read whole', (text) => {
  const { detection, transcripts } = openText(text);
  expect(detection.format.id).toBe('vscode-chat');
  expect(detection.confidence).toBeGreaterThanOrEqual(0.9);
  const { requests } = JSON.parse(text) as { requests: { prompt: string; completion: string; timestamp: number }[] };
  expect(transcripts).toHaveLength(1);
  const { messages, recorded, id } = transcripts[0]!;
  expect(id).toBe('f62c7874-549c-4c07-9677-f413049d7799');
  expect(outline(transcripts[0]!)).toEqual(
    requests.flatMap(({ prompt, completion }) => [`user: ${prompt}`, `assistant: ${completion}`]),
  );
  expect(messages.map((message) => recorded!(message)?.time)).toEqual(
    requests.flatMap(({ timestamp }) => [timestamp, timestamp]),
  );
  expect(saidIn(transcripts).length).toBeGreaterThan(5000);
});
