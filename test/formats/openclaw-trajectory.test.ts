/** Trajectories of OpenClaw beyond the laws: events of the runtime, of an export, and snapshots of conversations. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/transcript/text.js';
import type { Message } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { onCase, saidIn } from '../shared/unread.js';

const runtime = fixture('openclaw-trajectory/hand-runtime.jsonl');
const snapshot = fixture('openclaw-trajectory/hand-snapshot.jsonl');
const exported = fixture('openclaw-trajectory/hand-export.jsonl');

const without = (text: string, isGone: (message: Message) => boolean) =>
  mapText(text, (transcript) => ({
    ...transcript,
    messages: transcript.messages.filter((message) => !isGone(message)),
  }));

describe('events of the runtime', () => {
  it('are prompts, calls, results and texts; each run compiles the same system prompt', () => {
    const { detection, transcripts } = openText(runtime);
    expect([detection.format.id, detection.container, detection.confidence]).toEqual([
      'openclaw-trajectory',
      'rows',
      1,
    ]);
    expect(transcripts[0]).toMatchObject({ id: 'oc-1', model: 'gpt-5.4', project: '/home/u/notes' });
    expect(transcripts[0]!.tools!.text).toContain('Run a command');
    expect(saidIn(transcripts[0]!)).toEqual([
      'system text You keep notes for the user, in short sentences.',
      'user text What did I plan for Saturday, and is it in the calendar?',
      'assistant call call_a read {"path":"saturday.md"}',
      'assistant call call_b exec {"command":"cal show saturday"}',
      'tool result call_a Saturday: mend the fence, then supper with Ada at seven in the old mill.',
      'tool error call_b cal: command not found',
      'assistant text I look at your note.',
      'assistant text The fence, and supper with Ada at seven. I cannot see the calendar.',
      'user text Thanks.',
      'assistant text You are welcome.',
    ]);
  });

  it('state time and usage', () => {
    expect(recordedIn(runtime).filter((one) => one?.usage !== undefined)).toMatchObject([
      { time: Date.UTC(2026, 4, 6, 7, 0, 4), usage: { input: 1400, cacheRead: 5000, output: 120 }, model: 'gpt-5.4' },
      { usage: { input: 60, cacheRead: 6500, output: 8 } },
    ]);
  });

  it('are in step with those that repeat them', () => {
    const isAsked = ({ role, parts: [part] }: Message) =>
      role === 'user' && part?.type === 'text' && textOf(part.text).includes('Saturday');
    expect(without(runtime, isAsked)).not.toContain('in the calendar?');
    const cut = rewriteText(runtime, 'truncate', { maxLength: 40, noMinimum: true });
    expect(cut).not.toContain('old mill');
    const isReply = ({ role, parts }: Message) => role === 'assistant' && parts.length === 2;
    expect(without(runtime, isReply)).not.toContain('I cannot see');
  });

  it('are in step beside a value that is none', () => {
    const stray = runtime.replace('\n', '\ntrue\n');
    expect(rewriteText(stray, 'strip', { keepToolNames: true })).toContain('\ntrue\n');
  });

  it('are completed when they are added', () => {
    const open = without(runtime, ({ parts: [part] }) => part?.type === 'result' && part.callId === 'call_b');
    const added = linesOf(rewriteText(open, 'patch', {})).find(
      ({ data }) => data.toolCallId === 'call_b' && 'success' in data,
    );
    expect(added).toMatchObject({ traceId: 'oc-1', runId: 'run-1', type: 'tool.result', data: { success: false } });
  });
});

describe('a snapshot', () => {
  it('is the whole conversation, with the usage of each request', () => {
    const { detection, transcripts } = openText(snapshot);
    expect(detection.format.id).toBe('openclaw-trajectory');
    expect(detection.confidence).toBeGreaterThan(0.9);
    expect(transcripts).toHaveLength(1);
    expect(transcripts[0]).toMatchObject({ id: 'oc-2', model: 'claude-sonnet-4-5' });
    expect(saidIn(transcripts[0]!)).toEqual([
      'user text Which note is the oldest?',
      'assistant thinking List them.',
      'assistant call toolu_x exec {"command":"ls -tr"}',
      'tool result toolu_x ferry-may-3.md\nsaturday.md\nshopping.md\nwinter-coat.md',
      'assistant text The oldest note is from the third of May, about the ferry.',
    ]);
    expect(recordedIn(snapshot).flatMap((one) => one?.usage ?? [])).toMatchObject([
      { input: 20, cacheRead: 1800, cacheWrite5m: 400, output: 50 },
      { input: 10, cacheRead: 2200, cacheWrite5m: 100, output: 40 },
    ]);
  });

  it('is in step with the texts beside it', () => {
    const isReply = ({ role, parts: [part] }: Message) => role === 'assistant' && part?.type === 'text';
    expect(without(snapshot, isReply)).not.toContain('third of May');
  });
});

describe('an export', () => {
  it('holds messages of pi, which the runtime repeats', () => {
    const { transcripts } = openText(exported);
    expect(saidIn(transcripts[0]!)).toEqual([
      'user text Please rename shopping.md to market.md in my notes.',
      'assistant call toolu_m exec {"command":"mv shopping.md market.md"}',
      'tool result toolu_m (no output)',
      'assistant text It is market.md now.',
    ]);
    expect(recordedIn(exported).flatMap((one) => one?.usage?.output ?? [])).toEqual([45, 12]);
  });

  it('has the new id of a call in its copy', () => {
    const renamed = mapText(exported, (transcript) => ({
      ...transcript,
      messages: transcript.messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => ('callId' in part ? { ...part, callId: 'new_id' } : part)),
      })),
    }));
    expect(renamed).not.toContain('toolu_m');
    expect(linesOf(renamed)).toHaveLength(7);
  });

  it('loses the copy of a removed call and of a removed prompt', () => {
    const stripped = rewriteText(exported, 'strip', {});
    expect(stripped).not.toContain('toolu_m');
    expect(without(exported, ({ role }) => role === 'user')).not.toContain('Please rename');
  });
});

onCase('unread/openclaw/openclaw-session-md_trace.trajectory.jsonl', 'what the raw JSON says', (text) => {
  const { detection, transcripts } = openText(text);
  expect([detection.format.id, detection.confidence]).toEqual(['openclaw-trajectory', 1]);
  const [, prompt, reply] = linesOf(text);
  expect(saidIn(transcripts[0]!)).toEqual([
    `user text ${prompt.data.prompt}`,
    `assistant text ${reply.data.assistantTexts[0]}`,
  ]);
  expect(transcripts[0]).toMatchObject({ id: reply.sessionId, model: reply.modelId, project: reply.workspaceDir });
  expect(recordedIn(text).at(-1)).toMatchObject({
    time: Date.parse(reply.ts),
    usage: { input: reply.data.usage.input, output: reply.data.usage.output },
  });
});

it('a result without an output gets a text as its only block, and stays as it is without one', () => {
  const event = (type: string, data: object, seq: number) => ({
    ...{ traceSchema: 'openclaw-trajectory', schemaVersion: 1, traceId: 't', source: 'runtime', type },
    ...{ ts: `2026-11-01T00:00:0${seq}Z`, seq, sessionId: 's', data },
  });
  const data = { toolCallId: 'c', name: 'f', success: true };
  const events = [
    event('prompt.submitted', { prompt: 'Hi' }, 1),
    event('tool.call', { toolCallId: 'c', name: 'f', args: { a: 1 } }, 2),
    event('tool.result', data, 3),
  ];
  const text = events.map((one) => `${JSON.stringify(one)}\n`).join('');
  const answered = (...words: string[]) =>
    linesOf<{ data: object }>(
      mapText(text, (transcript) => ({
        ...transcript,
        messages: transcript.messages.map((message) => ({
          ...message,
          parts: message.parts.map((part) =>
            part.type === 'result' ? { ...part, content: words.map((one) => ({ type: 'text', text: one })) } : part,
          ),
        })),
      })),
    )[2]!.data;
  expect(answered('Seen.')).toEqual({ ...data, contentItems: [{ type: 'inputText', text: 'Seen.' }] });
  expect(answered()).toEqual(data);
});
