/** Debug logs of Copilot Chat, and timelines made of Copilot CLI logs. */
import { expect, it } from 'vitest';
import format from '../../src/formats/copilot/copilot-debug-log.js';
import { parse } from '../../src/json/node.js';
import { pair } from '../../src/transcript/pairs.js';
import { textOf } from '../../src/transcript/text.js';
import type { Transcript } from '../../src/transcript/types.js';
import { NO_USAGE } from '../../src/transcript/usage.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { itReads, outline } from '../shared/unread-files.js';

const log = fixture('copilot-debug-log/hand-main.jsonl');
const timeline = fixture('copilot-timeline/hand-short.json');
const first = (text: string): Transcript => openText(text).transcripts[0]!;

it('a debug log has texts from responses, calls and results from tools', () => {
  const transcript = first(log);
  expect(transcript).toMatchObject({ id: '5f0e1a52-1f0a-4b6e-9c1d-7a1b2c3d4e5f', model: 'claude-sonnet-4.5' });
  expect(outline(transcript)).toEqual([
    'user: Which tests fail, and why do they fail?',
    'assistant: thinking Run them first. + I will run the tests.',
    'assistant: read_file({"filePath":"/app/config.py"}) + = DEBUG = True',
    'assistant: run_in_terminal({"command":"pytest -q","isBackground":false}) + = 1 failed, 4 passed in 0.31 seconds',
    expect.stringContaining('One test fails because DEBUG is on; I switch it off[truncated]'),
    expect.stringMatching(/^assistant: replace_string_in_file\(.*\) \+ = The file is read-only\.$/),
    'assistant: I cannot write the file; shall I ask for rights?',
  ]);
  const { calls } = pair(transcript.messages);
  expect(calls.map(({ results: [result] }) => result!.part.isError)).toEqual([undefined, undefined, true]);
});

it('a response of calls alone is not a message: each call stands in the row of its tool', () => {
  const row = (response: unknown) => ({ type: 'agent_response', attrs: { response: JSON.stringify(response) } });
  const read = (parts: readonly object[]) =>
    format.read(parse(JSON.stringify(row([{ role: 'assistant', parts }]))), false);
  expect(read([{ type: 'tool_call', id: 'c', name: 'ls', arguments: {} }]).role).toBe('meta');
  expect([read([]).role, read([{ type: 'text', content: 'Hi' }]).role]).toEqual(['assistant', 'assistant']);
});

it('a debug log states the usage of each request', () => {
  const { messages, recorded } = first(log);
  const requests = messages.map((message) => recorded!(message)).filter((found) => found?.requestId !== undefined);
  expect(requests.map((found) => [found!.requestId, found!.usage, found!.failed])).toEqual([
    ['a1', { ...NO_USAGE, input: 12_000, output: 80 }, undefined],
    ['a2', undefined, true],
    ['a3', { ...NO_USAGE, input: 12_500, output: 700 }, undefined],
    ['a4', { ...NO_USAGE, input: 13_000, output: 30 }, undefined],
  ]);
  expect(requests[0]).toMatchObject({ model: 'claude-sonnet-4.5', time: 1775054003000 });
});

it('the calls in a response follow the rows of their tools', () => {
  const after = mapText(log, (transcript) => ({
    ...transcript,
    messages: transcript.messages.flatMap((message) => {
      const [call] = message.parts;
      if (call?.type !== 'call') return [message];
      if (call.tool === 'read_file') return [];
      return [{ ...message, parts: [{ ...call, input: '{"command":"true"}' }, ...message.parts.slice(1)] }];
    }),
  }));
  const [response] = linesOf(after).filter(({ type }) => type === 'agent_response');
  expect(JSON.parse(response.attrs.response)[0].parts).toEqual([
    { type: 'reasoning', content: 'Run them first.' },
    { type: 'text', content: 'I will run the tests.' },
    { type: 'tool_call', id: 'call_1', name: 'run_in_terminal', arguments: { command: 'true' } },
  ]);
  expect(after).not.toContain('/app/config.py\\"}"');
});

it('the texts of a response stay where they are, between its calls', () => {
  const call = (id: string) => ({ type: 'tool_call', id, name: 'ls', arguments: {} });
  const texts = (second: string) => [
    { type: 'text', content: 'First.' },
    ...[call('c'), { type: 'text', content: second }, call('d')],
  ];
  const response = (parts: readonly object[]) => JSON.stringify([{ role: 'assistant', parts, finish_reason: 'stop' }]);
  const row = (type: string, attrs: object) => ({ ts: 1, dur: 0, sid: 's', type, name: type, spanId: type, attrs });
  const written = (attrs: object) =>
    [row('user_message', { content: 'Go.' }), row('agent_response', attrs)]
      .map((one) => `${JSON.stringify({ ...one, status: 'ok' })}\n`)
      .join('');
  const before = written({ response: response(texts('Then.')), reasoning: 'Hm.' });
  expect(outline(first(before))).toEqual(['user: Go.', 'assistant: thinking Hm. + First. + Then.']);
  expect(rewriteText(before, 'prune', { reasoning: true })).toBe(written({ response: response(texts('Then.')) }));
  const edited = mapText(before, (transcript) => ({
    ...transcript,
    messages: transcript.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'text' && textOf(part.text) === 'Then.' ? { ...part, text: 'Last.' } : part,
      ),
    })),
  }));
  expect(edited).toBe(written({ response: response(texts('Last.')), reasoning: 'Hm.' }));
});

it('a timeline has calls with their results, empty where they were not recorded', () => {
  const said = outline(first(timeline)).map((line) => line.replace(/\s+/g, ' ').replace(/\{ (.*) \}/, '{$1}'));
  expect(said).toEqual([
    'user: Which version of Node do we use in CI?',
    'assistant: I look into the workflow.',
    'assistant: report_intent({"intent": "Reading the workflow"}) + = ',
    'assistant: view({"path": ".github/workflows/ci.yml"}) + = node-version: 20',
    'assistant: Node 20.',
  ]);
});

itReads('copilot-debug-log/replai_main.jsonl', 'is read whole', (text) => {
  const { detection, transcripts } = openText(text);
  expect(detection).toMatchObject({ format: { id: 'copilot-debug-log' }, confidence: 1 });
  expect(transcripts.map(outline)).toEqual([
    [
      'assistant: I will read the config.',
      'assistant: read_file({"filePath":"/tmp/config.py","startLine":1,"endLine":10}) + = ' +
        '{"content":"DEBUG = True\\n"}',
      'user: Now run the tests',
      'assistant: Running tests now.',
      expect.stringMatching(/^assistant: run_in_terminal\(\{"command":"pytest".*\}\) \+ = \{"output":"5 passed"\}$/),
    ],
  ]);
  expect(transcripts[0]!.messages.map((message) => transcripts[0]!.recorded!(message)?.time)).toEqual(
    linesOf(text).map(({ ts }) => ts),
  );
});

itReads('copilot-timeline/replai_sample_copilot_timeline.json', 'is read whole', (text) => {
  const { detection, transcripts } = openText(text);
  expect(detection.format.id).toBe('copilot-timeline');
  expect(detection.confidence).toBeGreaterThanOrEqual(0.9);
  expect(transcripts[0]!.id).toBe('sess-1');
  const { timeline: events } = JSON.parse(text) as { timeline: Record<string, string>[] };
  const said = outline(transcripts[0]!).filter((line) => !line.includes('report_intent'));
  expect(said).toEqual(
    events.flatMap(({ type, role, content }) => (type === 'message' ? [`${role}: ${content}`] : [])),
  );
  expect(pair(transcripts[0]!.messages).calls.map(({ part }) => part.tool)).toEqual(['report_intent']);
});
