import { readFileSync } from 'node:fs';
import zlib from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../src/cli/files/archive.js';
import { isTranscriptError } from '../../src/errors.js';
import inspect from '../../src/formats/inspect/inspect.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Read } from '../../src/json/rows.js';
import { joinTexts } from '../../src/transcript/text.js';
import type { Part, ResultPart } from '../../src/transcript/types.js';
import { ALL } from '../shared/effort.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const FOLDER = 'fixtures/formats/inspect';
const events = readFileSync(`${FOLDER}/hand-events.json`, 'utf8');

describe('what a log records', () => {
  it('about each sample', () => {
    const { transcripts } = openText(events);
    expect(transcripts.map(({ id, model }) => [id, model])).toEqual([
      ['notes_epoch_1', 'claude-3-5-sonnet-20241022'],
      ['2_epoch_1', 'gpt-4o-mini-2024-07-18'],
    ]);
    expect(JSON.parse(transcripts[0]!.tools!.text)).toHaveLength(1);
  });

  it('about requests, with uncached input, however it was counted', () => {
    const recorded = openText(events).transcripts.map((transcript) =>
      transcript.messages.filter(({ role }) => role === 'assistant').map((message) => transcript.recorded!(message)),
    );
    const none = { cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 };
    expect(recorded[0]![0]).toEqual({
      responseId: 'msg_hand',
      requestId: 'event1xxxxxxxxxxxxxxxx',
      model: 'claude-3-5-sonnet-20241022',
      time: Date.UTC(2025, 9, 6, 10, 15, 41, 500),
      usage: { ...none, input: 20, cacheWrite5m: 400, output: 60 },
      cost: '0.0125',
    });
    expect(recorded[0]!.map((each) => each?.usage?.cacheRead)).toEqual([0, 900, 1000]);
    expect(recorded[1]!.map((each) => each?.usage)).toEqual(
      [0, 1, 2].map((n) => ({ ...none, input: 1000 + 100 * n - 512 * n, cacheRead: 512 * n, output: 10 })),
    );
  });

  it('with reasoning beside the output, by the total', () => {
    // 100 with 40 of the cache, 10, and 5 that only the total counts
    const counts = { input_tokens: 100, input_tokens_cache_read: 40, output_tokens: 10, reasoning_tokens: 5 };
    const reply = { role: 'assistant', content: 'b', source: 'generate' };
    const sample = {
      ...{ id: 1, epoch: 1, input: 'a', target: '', messages: [{ role: 'user', content: 'a' }, reply] },
      output: { model: 'm', choices: [{ message: reply }], usage: { ...counts, total_tokens: 115 } },
    };
    const log = { version: 2, status: 'success', eval: { task: 't', model: 'google/m' }, samples: [sample] };
    const [transcript] = openText(JSON.stringify(log)).transcripts;
    expect(transcript!.recorded!(transcript!.messages[1]!)).toMatchObject({
      usage: { input: 60, cacheRead: 40, output: 15, reasoning: 5 },
    });
  });

  it('about the last reply only, without events', () => {
    const [transcript] = openText(readFileSync(`${FOLDER}/browser.json`)).transcripts;
    const recorded = transcript!.messages
      .map((message) => transcript!.recorded!(message))
      .filter((each) => each !== undefined);
    expect(recorded).toEqual([
      {
        model: 'gpt-4o-mini-2024-07-18',
        usage: { input: 5915 - 3840, cacheRead: 3840, cacheWrite5m: 0, cacheWrite1h: 0, output: 207, reasoning: 0 },
      },
    ]);
  });

  it('reads the error text of a failed tool as its result', () => {
    const [, , , , failed] = openText(events).transcripts[0]!.messages;
    expect(failed!.parts).toMatchObject([
      { type: 'result', isError: true, content: [{ text: { text: 'Command timed out before completing.' } }] },
    ]);
  });

  it('reads what an error says besides the content', () => {
    const [transcript] = openText(readFileSync(`${FOLDER}/hand-errors.json`)).transcripts;
    const said = transcript!.messages.slice(2).map(({ parts: [part] }) => joinTexts((part as ResultPart).content));
    expect(said).toMatchObject([
      'Command timed out before completing.',
      'Permission was denied.',
      expect.stringMatching(/<END_TOOL_OUTPUT>\nThe tool output limit of 10 MiB was exceeded\.$/),
      expect.stringMatching(/^Partly read before the failure\.Error decoding bytes to utf-8\.$/),
      'Rejected. Try another.',
    ]);
  });
});

describe('copies of messages change with them', () => {
  type Sample = {
    events: Record<string, never>[];
    message_pool: { id: string }[];
    call_pool: unknown[];
    events_data: { messages: { id: string }[]; calls: unknown[] };
    output: { choices: unknown[] };
  };
  const filtered = JSON.parse(rewriteText(events, 'filter', { maxToolCalls: 1 })) as { samples: Sample[] };

  it('in model and tool events', () => {
    const [{ events: after }] = filtered.samples as [Sample];
    expect(after).toHaveLength(9);
    expect(after[2]).toMatchObject({ event: 'tool', id: 'call_1', arguments: {}, result: '' });
    expect(after[4]).toMatchObject({ event: 'tool', id: 'call_2', arguments: { cmd: 'cat notes.txt' } });
    expect(after[5]).not.toHaveProperty('call');
    expect(
      (after[5] as unknown as { input: { tool_calls?: unknown[] }[] }).input.map(
        ({ tool_calls }) => tool_calls?.length,
      ),
    ).toEqual([undefined, undefined, 1, undefined]);
  });

  it('in pools, with the ranges that refer to them', () => {
    const { message_pool, call_pool, events: after } = filtered.samples[1]!;
    expect(message_pool.map(({ id }) => id.slice(0, 3))).toEqual(['pux', 'pa4', 'pt4']);
    expect(call_pool).toEqual([]);
    expect(after.map((event) => event['input_refs'])).toEqual([[[0, 1]], [[0, 1]], [[0, 3]]]);
  });

  it.each([1e15, 4e8, -5, 0.5])('a range up to %d goes no further than the pool', (end) => {
    const log = JSON.parse(events) as { samples: Sample[] };
    const event = log.samples[1]!.events.find((one) => 'input_refs' in one) as Record<string, unknown>;
    event['input_refs'] = [[0, end]];
    const after = JSON.parse(rewriteText(JSON.stringify(log), 'filter', { maxToolCalls: 1 })) as typeof log;
    expect(after.samples[1]!.message_pool).toHaveLength(3);
  });

  it('in the pools of newer logs, which stand in `events_data`', () => {
    const log = JSON.parse(events) as { samples: Sample[] };
    const [, { message_pool: messages, call_pool: calls, ...rest }] = log.samples as [Sample, Sample];
    expect(calls).not.toEqual([]);
    const newer = JSON.stringify({ ...log, samples: [{ ...rest, events_data: { messages, calls } }] });
    const [after] = (JSON.parse(rewriteText(newer, 'filter', { maxToolCalls: 1 })) as { samples: [Sample] }).samples;
    expect(after.events_data).toEqual({ messages: filtered.samples[1]!.message_pool, calls: [] });
  });

  it('in attachments and tool output', () => {
    const cut = rewriteText(events, 'truncate', { maxLength: 100, noMinimum: true });
    const [{ attachments, events: after }] = (
      JSON.parse(cut) as { samples: [{ attachments: Record<string, string>; events: { output?: string }[] }] }
    ).samples;
    expect(Object.values(attachments)[0]).toContain('[result truncated, original length: 1360 chars]');
    expect(after[3]!.output).toBe(`stdout:\n${Object.values(attachments)[0]}`);
  });

  it('and not at all if messages were only added', () => {
    const added = JSON.parse(rewriteText(events, 'patch', {})) as { samples: Sample[] };
    expect(added.samples.map((sample) => sample.events)).toEqual(
      (JSON.parse(events) as { samples: Sample[] }).samples.map((sample) => sample.events),
    );
  });
});

describe('archives', () => {
  const bytes = readFileSync(`${FOLDER}/message-deduplication.eval`);

  it('hold samples, one per line', async () => {
    const [transcript] = openText(await unpacked(bytes)).transcripts;
    const parts = transcript!.messages.flatMap((message) => message.parts);
    expect([
      transcript!.format,
      transcript!.messages.length,
      parts.filter(({ type }) => type === 'call').length,
      parts.filter(({ type }) => type === 'result').length,
    ]).toEqual(['inspect', 12, 5, 5]);
  });

  it('may keep a sample in parts', async () => {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    const home = 'samples/a/b_epoch_2';
    const archive = zipSync({
      'header.json': json({}),
      [`${home}/sample.json`]: json({
        id: 'a/b',
        epoch: 2,
        message_refs: [
          [0, 1],
          [2, 3],
        ],
      }),
      [`${home}/messages/0.json`]: json([{ role: 'user', content: 'attachment://0' }, { role: 'user' }]),
      [`${home}/messages/2.json`]: json([{ role: 'assistant', content: 'Yes.' }]),
      [`${home}/attachments/0.json`]: json(['A long text.']),
    });
    expect(JSON.parse(await unpacked(Buffer.from(archive)))).toMatchObject({
      id: 'a/b',
      messages: [
        { role: 'user', content: 'A long text.' },
        { role: 'assistant', content: 'Yes.' },
      ],
    });
  });

  it.each([3000, bytes.length - 60])('that end after %i bytes are broken', async (length) => {
    await expect(unpacked(bytes.subarray(0, length))).rejects.toThrow(/^the archive is broken or cut off: /);
  });

  it('give their content or are refused, whatever is damaged', async () => {
    const json = (length: number) => Buffer.from(JSON.stringify({ id: 'a'.repeat(length) }));
    const samples = { 'samples/a_epoch_1.json': json(60), 'header.json': json(5), 'samples/b_epoch_1.json': json(9) };
    for (const level of [0, 6] as const) {
      const packed = Buffer.from(zipSync(samples, { level }));
      const whole = await unpacked(packed);
      for (let at = 0; at < packed.length; at += ALL ? 1 : 3) {
        const damaged = Buffer.from(packed);
        damaged[at]! ^= 1 << (at % 8);
        expect(await unpacked(damaged).catch(refusal), `byte ${at}`).toBeOneOf([whole, undefined]);
      }
    }
  });

  it('without samples are not logs', async () => {
    await expect(unpacked(Buffer.from(zipSync({ 'a.txt': Buffer.from('a') })))).rejects.toThrow('holds no samples/');
  });

  it.skipIf('zstdDecompressSync' in zlib)('that this Node cannot unpack say so', async () => {
    const zstd = Buffer.from(zipSync({ 'samples/1_epoch_1.json': Buffer.from('{}') }));
    zstd.writeUInt16LE(93, 8);
    await expect(unpacked(zstd)).rejects.toThrow('compressed with zstd');
  });
});

function refusal(error: Error): undefined {
  expect(isTranscriptError(error), String(error)).toBe(true);
}

async function unpacked(bytes: Buffer): Promise<string> {
  let at = 0;
  const reader =
    (from: Buffer): Read =>
    (buffer, start, length) => {
      const got = from.copy(buffer, start, at, at + Math.min(length, 1000));
      at += got;
      return got;
    };
  const read = await openArchive(reader(bytes));
  const buffer = Buffer.alloc(1 << 20);
  let end = 0;
  for (let got = -1; got !== 0; end += got) got = read(buffer, end, 777);
  return buffer.toString('utf8', 0, end);
}

describe('early reasoning beside the content', () => {
  const USER = { role: 'user', content: 'a', source: 'input' };
  const changed = (reasoning: unknown, change: (part: Part) => Part[]) => {
    const reply = { role: 'assistant', reasoning, content: 'long', source: 'generate' };
    const text = mapText(JSON.stringify({ id: 1, epoch: 1, input: 'a', messages: [USER, reply] }), (transcript) => ({
      ...transcript,
      messages: transcript.messages.map((message) => ({ ...message, parts: message.parts.flatMap(change) })),
    }));
    return JSON.parse(text).messages[1];
  };
  const kept = { role: 'assistant', content: 'cut', source: 'generate' };
  const cut = (part: Part): Part[] => [part.type === 'text' ? { ...part, text: 'cut' } : part];

  it.each(['hm', '', null, 5])('of %j stays where the text changes', (reasoning) => {
    expect(changed(reasoning, cut)).toEqual({ ...kept, reasoning });
  });

  it('is cut, and goes', () => {
    const short = (part: Part): Part[] => (part.type === 'thinking' ? [{ ...part, text: 'h' }] : cut(part));
    expect(changed('hm', short)).toEqual({ ...kept, reasoning: 'h' });
    expect(changed('hm', (part) => (part.type === 'thinking' ? [] : cut(part)))).toEqual(kept);
  });
});

describe('a message', () => {
  const read = (message: object) => inspect.read(parse(JSON.stringify(message)), false);
  const written = (message: object, change: (part: Part) => readonly Part[]) => {
    const before = read(message);
    return JSON.parse(printed(inspect.write({ ...before, parts: before.parts.flatMap(change) })));
  };

  it.each(['id', 'function'])('whose call has a number as its %s is refused', (key) => {
    const call = { id: 'c', function: 'f', arguments: {}, [key]: 5 };
    expect(() => read({ role: 'assistant', content: '', tool_calls: [call] })).toThrow(
      `\`tool_calls[0].${key}\` is a number`,
    );
  });

  it('shows a video and a document as files', () => {
    const content = ['image', 'audio', 'video', 'document'].map((type) => ({ type, [type]: 'x' }));
    const kinds = read({ role: 'user', content }).parts.map((part) => part.type === 'media' && part.kind);
    expect(kinds).toEqual(['image', 'audio', 'file', 'file']);
  });

  it('keeps an empty list of calls, and a list of one text', () => {
    const reply = { role: 'assistant', content: [{ type: 'text', text: 'a' }], tool_calls: [] };
    expect(written(reply, () => [{ type: 'text', text: 'cut' }])).toEqual({
      ...{ ...reply, content: [{ type: 'text', text: 'cut' }] },
    });
  });

  it('of a tool whose error has no text has its content', () => {
    const failed = { role: 'tool', tool_call_id: 'c', function: 'f', content: 'a', error: { type: 'x', message: 5 } };
    expect(read(failed).parts).toMatchObject([{ isError: true, content: [{ text: { text: 'a' } }] }]);
    const cut = (part: Part): readonly Part[] =>
      part.type === 'result' ? [{ ...part, content: [{ type: 'text', text: 'cut' }] }] : [part];
    expect(written(failed, cut)).toEqual({ ...failed, content: 'cut' });
  });

  it('of no role is added as one of the user', () => {
    const fresh = inspect.write({ role: 'meta', parts: [{ type: 'text', text: 'a' }] });
    expect(JSON.parse(printed(fresh))).toEqual({ role: 'user', content: 'a' });
  });
});

it.each(['sandbox', 'store', 'info', 'logger'])(
  'cuts a result also inside of a longer text of the event %s',
  (event) => {
    const said = Array.from({ length: 300 }, (_, line) => `line ${line} of the result`).join('\n');
    const calls = [{ id: 'c', function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }];
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: '', tool_calls: calls, source: 'generate' },
      { role: 'tool', content: said, tool_call_id: 'c', function: 'bash' },
      { role: 'assistant', content: 'b', source: 'generate' },
    ];
    const told = {
      event,
      timestamp: '2026-01-01T00:00:00',
      data: { message: `The tool said: ${said}\nThat was all.` },
    };
    const sample = { id: 1, epoch: 1, input: 'a', target: '', messages, events: [told] };
    const log = { version: 2, status: 'success', eval: { task: 't', model: 'm' }, samples: [sample] };
    const [{ events: cut }] = JSON.parse(rewriteText(JSON.stringify(log), 'truncate', { maxLength: 400 })).samples;
    expect(cut[0].data.message).toMatch(/^The tool said: [\s\S]*\nThat was all\.$/);
    expect(cut[0].data.message).not.toContain('line 150 of the result');
  },
);
