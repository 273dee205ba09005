/** What must be read as it is, or said: fixtures/cases/read, of which each once came out wrong with exit code 0. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert } from '../../src/conversion/convert.js';
import { targetNamed } from '../../src/conversion/targets.js';
import { formatNamed } from '../../src/formats/index.js';
import { check } from '../../src/index.js';
import { textOf } from '../../src/transcript/text.js';
import type { Part } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { recordedStats } from '../shared/recorded-stats.js';
import { rewriteText } from '../shared/rewrite-text.js';

const read = (name: string) => readFileSync(`fixtures/cases/read/${name}`, 'utf8');

function shown(part: Part): string {
  if (part.type === 'call') return `${part.tool}()`;
  if (part.type === 'result') return `= ${part.content.map(shown).join('')}`;
  return 'text' in part && part.text !== undefined ? textOf(part.text) : part.type;
}

/** The messages of the main transcript: role and parts. */
function told(name: string): string[] {
  const [main] = openText(read(name)).transcripts;
  return main!.messages.flatMap(({ role, parts }) =>
    role === 'meta' ? [] : [`${role}: ${parts.map(shown).join(' ')}`],
  );
}

/** The messages of the conversion, as the target reads them. */
function converted(name: string, to: string): string[] {
  const { transcripts, pieces } = openText(read(name));
  const [transcript] = transcripts;
  const { record } = convert(transcript!, formatNamed(transcript!.format), targetNamed(to), pieces[0]!.record);
  const [main] = openText(Buffer.from(record.json)).transcripts;
  return main!.messages.flatMap(({ role, parts }) =>
    role === 'meta' ? [] : [`${role}: ${parts.flatMap((part) => shown(part) || []).join(' ')}`],
  );
}

it('gemini-stream.jsonl: a format of its own, with model and usage', () => {
  const { detection, transcripts } = openText(read('gemini-stream.jsonl'));
  expect([detection.format.id, transcripts[0]!.model]).toEqual(['gemini-cli-stream', 'gemini-3-pro-preview']);
  expect(told('gemini-stream.jsonl')).toEqual([
    'user: list files',
    'assistant: list_directory()',
    'tool: = a.txt',
    'assistant: one file',
  ]);
  expect(recordedStats(read('gemini-stream.jsonl')).paid.usage).toMatchObject({ input: 100, output: 50 });
  expect(converted('gemini-stream.jsonl', 'openai-chat')).toEqual(told('gemini-stream.jsonl'));
});

describe.each(['claude-order.jsonl', 'claude-branch.jsonl', 'codex-rollback.jsonl', 'mini-exit.json'])('%s', (name) => {
  it('has no finding, and patch changes nothing', () => {
    expect(check(read(name)).filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(rewriteText(read(name), 'patch', {})).toBe(read(name));
  });
});

it('claude-order.jsonl: in the order of the chain', () => {
  expect(told('claude-order.jsonl').map((line) => line.split(':')[0])).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
});

it('claude-branch.jsonl: four messages, and the costs of all three requests', () => {
  expect(told('claude-branch.jsonl')).toHaveLength(4);
  expect(recordedStats(read('claude-branch.jsonl')).paid.requests).toBe(3);
});

it('codex-rollback.jsonl: without the turn that was rolled back', () => {
  expect(told('codex-rollback.jsonl').filter((line) => !line.startsWith('system'))).toHaveLength(3);
});

it('mini-exit.json: the row at the end is not a message', () => {
  expect(openText(read('mini-exit.json')).transcripts[0]!.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'meta',
  ]);
});

it.each(['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'bedrock', 'vercel-model'])(
  'ui-steps.json: call, result, call, result, text, for %s',
  (to) => {
    const parts = converted('ui-steps.json', to).flatMap((line) => line.match(/\(\)|= |: /g) ?? []);
    expect(parts.filter((part) => part !== ': ').slice(0, 4)).toEqual(['()', '= ', '()', '= ']);
  },
);

it('text-document.json: the text as text, or real base64 of it', () => {
  const { transcripts, pieces } = openText(read('text-document.json'));
  const { record } = convert(
    transcripts[0]!,
    formatNamed('anthropic-messages'),
    targetNamed('openai-chat'),
    pieces[0]!.record,
  );
  const text = JSON.parse(read('text-document.json')).messages[0].content.find(
    (block: { type: string }) => block.type === 'document',
  ).source.data as string;
  const json = record.json;
  expect(json.includes(JSON.stringify(text).slice(1, -1)) || json.includes(Buffer.from(text).toString('base64'))).toBe(
    true,
  );
  expect(json).not.toContain(`base64,${text}`);
});

it('orphan-result.json: mended and said, or a fault that is said', () => {
  const { transcripts, pieces } = openText(read('orphan-result.json'));
  for (const to of ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'bedrock']) {
    const { findings, repairs, faults } = convert(
      transcripts[0]!,
      formatNamed('openai-chat'),
      targetNamed(to),
      pieces[0]!.record,
    );
    expect(findings.length + repairs.length + faults.length, to).toBeGreaterThan(0);
  }
});

it('cursor-agent.jsonl: a format of its own', () => {
  expect(openText(read('cursor-agent.jsonl')).detection.format.id).toBe('cursor-agent');
  expect(told('cursor-agent.jsonl')).toEqual([
    'user: list files',
    'assistant: I look. Shell()',
    'assistant: One file.',
  ]);
});

it('unknown-events.jsonl: refused', () => {
  expect(() => openText(read('unknown-events.jsonl'))).toThrow('cannot be told for sure');
});
