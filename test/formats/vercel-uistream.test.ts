/** UI message streams beyond the laws: chunks of one message are kept, changed and removed together. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const recording = fixture('vercel-uistream/react-agent.json');
const tools = fixture('vercel-uistream/hand-tools.jsonl');

interface Chunk {
  readonly type: string;
  readonly [key: string]: unknown;
}

describe('a recorded stream', () => {
  const { transcripts, detection } = openText(recording);
  const said = transcripts[0]!.messages.filter(({ role }) => role !== 'meta');

  it('is six pieces', () => {
    expect(detection.format.id).toBe('vercel-uistream');
    expect(said.map(({ role, parts }) => `${role} ${parts.map(({ type }) => type).join()}`)).toEqual([
      'assistant thinking',
      'assistant call',
      'assistant call',
      'tool result',
      'tool result',
      'assistant text',
    ]);
    expect(said.map(({ parts: [part] }) => (part?.type === 'call' ? textOf(part.input) : '')).filter(Boolean)).toEqual([
      '{"city":"Tokyo","units":"celsius"}',
      '{"timezone":"Asia/Tokyo","format":"full"}',
    ]);
    expect(textIn(said.at(-1)!)).toBe(
      'Here’s the latest for Tokyo:\n- Weather: 20°C, clear skies\n- Local time: Wednesday, December 17, 2025 at ' +
        '04:00:28 AM (Asia/Tokyo)',
    );
  });

  it('loses every chunk of a removed call', () => {
    const chunks = JSON.parse(rewriteText(recording, 'filter', { maxToolCalls: 1 })) as Chunk[];
    expect(chunks.filter(({ toolCallId }) => toolCallId === 'call_lxFuvuhpu9gvtx04WrmXZF9h')).toEqual([]);
    expect(chunks.filter(({ toolCallId }) => toolCallId === 'call_U3RijXRN09TXMyKWFZwqWjnJ')).toHaveLength(14);
  });

  it('is the same in lines', () => {
    const lines = `${(JSON.parse(recording) as Chunk[]).map((chunk) => JSON.stringify(chunk)).join('\n')}\n`;
    const stripped = JSON.parse(rewriteText(recording, 'strip', {})) as Chunk[];
    expect(rewriteText(lines, 'strip', {})).toBe(`${stripped.map((chunk) => JSON.stringify(chunk)).join('\n')}\n`);
    expect(stripped.filter(({ type }) => type.startsWith('tool-') || type.startsWith('reasoning-'))).toEqual([]);
  });
});

it('reads id, model and usage', () => {
  const [transcript] = openText(tools).transcripts;
  expect(transcript).toMatchObject({ id: 'msg_1', model: 'gpt-5-mini' });
  const recorded = transcript!.messages.flatMap((message) => transcript!.recorded!(message) ?? []);
  expect(recorded.map(({ time, usage }) => ({ time, usage }))).toEqual([
    { time: 1765900000000, usage: undefined },
    {
      time: undefined,
      usage: { input: 372, cacheRead: 128, cacheWrite5m: 0, cacheWrite1h: 0, output: 60, reasoning: 8 },
    },
  ]);
});

it('keeps no other piece of a changed text, even if it equals the first one', () => {
  const cut = mapText(tools, (transcript) => ({
    ...transcript,
    messages: transcript.messages.map((message) =>
      textIn(message) === 'Twelve lines.'
        ? { ...message, parts: [{ ...message.parts[0], text: 'Twelve' } as Part] }
        : message,
    ),
  }));
  expect(cut).toBe(tools.replace('{"type":"text-delta","id":"0","delta":" lines."}\n', ''));
});

it('keeps no copy of a cut result or error', () => {
  const long = tools.replaceAll('Invalid input for tool read', `Invalid input for tool read: ${'x'.repeat(100)}`);
  const cut = rewriteText(long, 'truncate', { maxLength: 60, noMinimum: true });
  expect(cut).not.toContain('preliminary');
  expect(cut).not.toContain('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');
  expect(cut.match(/"errorText":"Inva.*xxxx.*original length: 129 chars/g)).toHaveLength(2);
});

it('leaves an open call at the end, and answers one before it', () => {
  const patched = rewriteText(tools, 'patch', {});
  expect(patched.match(/"type":"tool-output-error","toolCallId":"call_4"/g)).toHaveLength(1);
  expect(patched).not.toContain('"tool-output-error","toolCallId":"call_5"');
});

it('adds start and end chunks to an added text', () => {
  const chunks = rewriteText(tools, 'strip', { keepToolNames: true })
    .split('\n')
    .slice(2, 5)
    .map((line) => JSON.parse(line) as Chunk);
  expect(chunks.map(({ type }) => type)).toEqual(['text-start', 'text-delta', 'text-end']);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
});

function textIn({ parts: [part] }: Message): string | undefined {
  return part?.type === 'text' ? textOf(part.text) : undefined;
}
