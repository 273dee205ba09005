/** Sub-agents: each agent in a log is a transcript of its own, and edits of one leave the others unchanged. */
import { describe, expect, it } from 'vitest';
import { run, simulate } from '../../src/index.js';
import type { JsonNode } from '../../src/json/node.js';
import { createAudit } from '../../src/measure/stats/audit.js';
import { createCounting } from '../../src/measure/stats/counting.js';
import { open, save } from '../../src/source/recording.js';
import { pair } from '../../src/transcript/pairs.js';
import { examine } from '../shared/examined.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, sourceOf } from '../shared/opened.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

interface Case {
  readonly file: string;
  readonly provider: string;
  readonly rule: string;
  readonly ids: readonly (string | undefined)[];
  readonly messages: readonly number[];
  /** The line of the only finding. */
  readonly line: number;
  /** The index of its transcript. */
  readonly agent: number;
  /** The first line that the fix changes. */
  readonly fixedLine: number;
  /** Output tokens, counting every response once. */
  readonly output: number;
}

const CASES: readonly Case[] = [
  {
    file: 'claude-code/hand-sidechains.jsonl',
    provider: 'anthropic',
    rule: 'anthropic/tool-use-unanswered',
    ids: ['c-9', 'c-9/sidechain-a1', 'c-9/sidechain-b1'],
    messages: [6, 4, 4],
    line: 8,
    agent: 2,
    fixedLine: 11,
    output: 120,
  },
  {
    file: 'claude-agent-sdk/hand-agents.jsonl',
    provider: 'anthropic',
    rule: 'anthropic/tool-use-unanswered',
    ids: ['s-9', 's-9/toolu_m1', 's-9/toolu_m2'],
    messages: [4, 4, 4],
    line: 6,
    agent: 2,
    fixedLine: 10,
    output: 120,
  },
  {
    file: 'tau2/hand-user-tools.json',
    provider: 'openai-chat',
    rule: 'chat/tool-call-unanswered',
    ids: [undefined, 'user'],
    messages: [7, 2],
    line: 76,
    agent: 1,
    fixedLine: 99,
    output: 22,
  },
];

describe.each(CASES)('$file', ({ file, provider, rule, ids, messages, line, agent, fixedLine, output }) => {
  const text = fixture(file);
  const { transcripts, pieces } = openText(text);
  const [format] = file.split('/');

  it('holds a transcript for each agent, the main agent first', () => {
    expect(transcripts.map(({ id }) => id)).toEqual(ids);
    const spoken = transcripts.map((transcript) => transcript.messages.filter(({ role }) => role !== 'meta').length);
    expect(spoken).toEqual(messages);
    for (const transcript of transcripts)
      expect(pair(transcript.messages).results.map(({ standing }) => standing)).not.toContain('orphan');
  });

  it('has one finding, at its line', () => {
    const { findings } = examine(text, provider, { from: format!, asRequest: true });
    expect(findings.map((finding) => finding.rule.id)).toEqual([rule]);
    const [{ message, callId }] = findings as readonly [(typeof findings)[number]];
    const calls = transcripts[agent]!.messages[message!]!.parts.filter((part) => part.type === 'call');
    expect(calls).toHaveLength(2);
    const call = calls.find((one) => one.callId === callId);
    expect(pieces[0]!.positions()(call!.raw as JsonNode)?.line).toBe(line);
  });

  it('is fixed there and nowhere else, once', () => {
    const after = rewriteText(text, 'patch', {});
    const [old, now] = [text.split('\n'), after.split('\n')];
    expect(old.findIndex((one, at) => one !== now[at]) + 1).toBe(fixedLine);
    expect(rewriteText(after, 'patch', {})).toBe(after);
    expect(openText(after).transcripts.map(({ id }) => id)).toEqual(ids);
    expect(examine(after, provider, { from: format!, asRequest: true }).findings).toEqual([]);
    expect(examine(text, provider, { from: format!, asRequest: true }).left()).toEqual([]);
  });

  it('leaves the others unchanged when one is removed or gets a new first message', () => {
    transcripts.forEach((one) => {
      const without = mapText(text, (transcript) =>
        transcript.id === one.id
          ? { ...transcript, messages: transcript.messages.filter(({ role }) => role === 'meta') }
          : transcript,
      );
      const others = transcripts.filter(({ id }) => id !== one.id);
      const sources = (of: typeof transcripts) =>
        of.map(({ messages: all }) => all.filter(({ role }) => role !== 'meta').map(sourceOf));
      expect(sources(openText(without).transcripts)).toEqual(sources(others));
      const greeted = mapText(text, (transcript) =>
        transcript.id === one.id
          ? {
              ...transcript,
              messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] }, ...transcript.messages],
            }
          : transcript,
      );
      const counts = openText(greeted).transcripts.map(({ id, messages: all }) => [id, all.length]);
      expect(counts).toEqual(transcripts.map(({ id, messages: all }) => [id, all.length + (id === one.id ? 1 : 0)]));
    });
  });

  it('is counted once', () => {
    const audit = createAudit({
      within: undefined,
      grouping: undefined,
      settled: undefined,
      prices: undefined,
      at: undefined,
      model: undefined,
      carries: false,
      keepsMessages: false,
    });
    for (const transcript of transcripts)
      audit.add(
        transcript,
        { file, line: 1 },
        createCounting(undefined, () => (counted) => counted.length),
      );
    const { totals, paid } = audit.facts();
    expect(totals.messages).toBe(messages.reduce((sum, count) => sum + count, 0));
    expect(paid.usage.output).toBe(output);
  });

  it('is simulated agent by agent', async () => {
    const requests = await Promise.all(
      transcripts.map(async (transcript) => (await simulate(transcript, [])).totals.requests),
    );
    expect(requests).toEqual(
      transcripts.map(
        (transcript) =>
          new Set(transcript.messages.flatMap(({ role, group, raw }) => (role === 'assistant' ? [group ?? raw] : [])))
            .size,
      ),
    );
  });
});

it('accepts messages of several agents as a list of objects, and returns the kept ones', () => {
  const list = linesOf<object>(fixture('claude-agent-sdk/hand-agents.jsonl'));
  const after = run(list, ['patch']);
  expect(after.filter((message) => !list.includes(message))).toHaveLength(1);
  expect(after.filter((message) => list.includes(message))).toEqual(list);
  const { simulations } = JSON.parse(fixture('tau2/hand-user-tools.json')) as { simulations: { messages: object[] }[] };
  const [{ messages }] = simulations as [{ messages: object[] }];
  const fixed = run(messages, ['patch'], { from: 'tau2' });
  expect(fixed.flatMap((message, index) => (messages.includes(message) ? [] : [index]))).toEqual([7]);
});

it('adds messages after the last line of their agent, with its id', () => {
  const text = fixture('claude-code/hand-sidechains.jsonl');
  const recording = open(text);
  const after = recording.transcripts.map((transcript, index) =>
    index === 1
      ? {
          ...transcript,
          messages: [
            ...transcript.messages,
            { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Go on.' }] },
          ],
        }
      : transcript,
  );
  const lines = linesOf(save(recording, after).toString());
  const at = lines.findIndex(({ message }) => message?.content === 'Go on.');
  expect(lines[at]).toMatchObject({ parentUuid: 'a4', isSidechain: true });
  expect(lines[at - 1].uuid).toBe('a4');
});

const logs = [...fixtures(), ...sharedRecordings()].filter(({ name }) =>
  /^(claude-code|claude-agent-sdk|happy|tau2)\//.test(name),
);

it('finds every message of a recording in exactly one of its transcripts', () => {
  const several = logs.filter(({ bytes }) => {
    const { transcripts } = openText(bytes);
    const raws = transcripts.flatMap(({ messages }) => messages.map(({ raw }) => raw));
    expect(new Set(raws).size).toBe(raws.length);
    return transcripts.some(({ id }) => id?.includes('/'));
  });
  expect(several.length).toBeGreaterThan(2);
});

it('reads a log of one sub-agent alone as one transcript', () => {
  const own = linesOf(fixture('claude-code/hand-sidechains.jsonl')).filter(({ uuid }) => /^a/.test(uuid ?? ''));
  const text = [{ type: 'summary', summary: 'x', leafUuid: 'a4' }, ...own]
    .map((line) => JSON.stringify(line))
    .join('\n');
  const { transcripts } = openText(text);
  expect(transcripts.map(({ id, messages }) => [id, messages.length])).toEqual([['c-9', 5]]);
});

it('separates agents by their id if lines have one', () => {
  const lines = linesOf(fixture('claude-code/hand-sidechains.jsonl')).map((line) =>
    line.isSidechain ? { ...line, agentId: line.uuid[0].repeat(3) } : line,
  );
  const { transcripts } = openText(lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(transcripts.map(({ id }) => id)).toEqual(['c-9', 'c-9/agent-aaa', 'c-9/agent-bbb']);
});

it('keeps lines whose parent is missing together, wherever other agents write', () => {
  const lines = linesOf(fixture('claude-code/hand-sidechains.jsonl')).filter(({ uuid }) => uuid !== 'b2');
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const { transcripts } = openText(text);
  expect(transcripts.map(({ id }) => id)).toEqual(['c-9', 'c-9/sidechain-a1', 'c-9/sidechain-b1', 'c-9/sidechain-b2']);
  const options = { keepText: true, keepToolNames: true, retryPrompt: true };
  const once = rewriteText(text, 'strip', options);
  expect(rewriteText(once, 'strip', options)).toBe(once);
});
