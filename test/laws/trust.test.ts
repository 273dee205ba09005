/** `--trust`: lines without tool traffic pass unread, and nothing else is different. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stepsOf } from '../../src/engine/steps.js';
import type { StepName } from '../../src/engine/written-steps.js';
import { formatNamed, formats } from '../../src/formats/index.js';
import { JsonNode } from '../../src/json/node.js';
import { open } from '../../src/source/recording.js';
import { transforms } from '../../src/transforms/index.js';
import type { Step } from '../../src/transforms/pipeline.js';
import { runProgram } from '../shared/program.js';
import { fixtures } from '../shared/recordings.js';
import { CHARACTERS } from '../shared/rewrite-text.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-trust-'));
afterAll(() => rmSync(folder, { recursive: true }));

const marked = formats.filter((entry) => entry.load().byteHints?.toolCalls !== undefined).map(({ id }) => id);

it('has formats to try', () => {
  expect(marked).toEqual(
    expect.arrayContaining([
      'openai-chat',
      'anthropic-messages',
      'gemini-contents',
      'openai-responses',
      'sharegpt',
      'bedrock-converse',
    ]),
  );
});

describe.each(fixtures().filter(({ format }) => marked.includes(format!)))('$name', ({ bytes, format }) => {
  it('has a mark wherever a call or a result stands', () => {
    const { byteHints } = formatNamed(format!);
    for (const piece of open(bytes.toString(), { from: format! }).pieces) {
      if (!('type' in piece) || !(piece.record instanceof JsonNode)) continue;
      const { source, start, end } = piece.record;
      const text = source.bytes.utf8Slice(start, end);
      const hasTraffic = piece.transcripts.some(({ messages }) =>
        messages.some(({ parts }) => parts.some(({ type }) => type === 'call' || type === 'result')),
      );
      if (hasTraffic) expect(byteHints!.toolCalls!.some((mark) => text.includes(mark))).toBe(true);
    }
  });
});

const silent = fixtures()
  .flatMap(({ bytes, format }) => open(bytes.toString(), { from: format! }).transcripts)
  .filter(
    ({ messages }) => !messages.some(({ parts }) => parts.some(({ type }) => type === 'call' || type === 'result')),
  )
  .filter(({ messages }) => !messages.some(({ raw }) => raw instanceof JsonNode && raw.text.includes('"tool_calls"')));

it.each(transforms.filter(({ onlyTraffic }) => onlyTraffic !== undefined).map(({ id }) => [id]))(
  '%s leaves what has no traffic as it is',
  (id) => {
    /** A transform that is not named here is tried with its defaults. */
    const options: object | undefined = {
      filter: { maxToolCalls: 0, dropUser: true },
      truncate: { maxLength: 1, noMinimum: true },
      clear: { trigger: 0, keep: 0 },
      strip: { keepToolNames: true, keepText: true },
      dedupe: {},
      stale: { pathArg: ['*=path'], editPathArg: ['*=q'] },
      retries: { drop: true },
      patch: { placeholder: 'auto', orphan: 'text' },
      offload: { dir: 'unused' },
    }[id];
    const [step] = stepsOf([{ transform: id, ...options } as StepName]) as [Step];
    expect(step.transform.onlyTraffic!(step.values)).toBe(true);
    expect(silent.length).toBeGreaterThan(5);
    for (const transcript of silent) expect(step.transform.apply(transcript, step.values, CHARACTERS)).toBe(transcript);
  },
);

describe('on the command line', () => {
  const chat = (text: string) => JSON.stringify({ messages: [{ role: 'user', content: text }] });
  const call = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'ls', arguments: '{}' } }],
  });
  const run = (id: string) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: 'x' },
        call(`${id}1`),
        { role: 'tool', tool_call_id: `${id}1`, content: 'a' },
        call(`${id}2`),
        { role: 'tool', tool_call_id: `${id}2`, content: 'b' },
      ],
    });
  const trim = (text: string, ...more: string[]) => {
    const file = join(folder, 'in.jsonl');
    writeFileSync(file, text);
    return runProgram(['filter', '--max-tool-calls', '1', ...more, file]);
  };
  const padding = Array.from({ length: 3000 }, (_, index) =>
    index % 250 === 7 ? run(`c${index}`) : chat('word '.repeat(100 + (index % 50))),
  );

  it('gives the same, line by line and over many windows', () => {
    for (const text of [`${padding.join('\n')}\n`, padding.join('\r\n'), `${padding.join('\n\n')}`]) {
      const plain = trim(text);
      expect(plain.stdout).not.toBe(text);
      expect(trim(text, '--trust')).toEqual(plain);
    }
  });

  it('does not look at lines without tool traffic, and at all others', () => {
    const broken = [...padding.slice(0, 40), '{"messages": [{"role": "user"', ...padding.slice(40)].join('\n');
    expect(trim(broken).status).toBe(2);
    const trusted = trim(broken, '--trust');
    expect([trusted.status, trusted.stderr]).toEqual([0, '']);
    expect(trusted.stdout).toContain('{"messages": [{"role": "user"\n');
    const brokenCall = [...padding.slice(0, 40), '{"messages": [{"role": "tool"', ...padding.slice(40)].join('\n');
    expect(trim(brokenCall, '--trust')).toEqual(trim(brokenCall));
  });

  it('says where it has no effect', () => {
    for (const flag of ['--diff', '--summary', '--verbose'])
      expect(trim(chat('x'), '--trust', flag)).toEqual({
        stdout: '',
        stderr: `ctx-trim: --trust and ${flag} cannot be combined\n`,
        status: 2,
      });
    const { stderr } = runProgram(['prune', '--empty', '--trust'], { input: chat('x') });
    expect(stderr).toMatch(/^ctx-trim: warning: --trust has no effect with a step that reads more than tool calls/);
  });

  it('reads values that take several lines', () => {
    const pretty = Array.from({ length: 300 }, (_, index) =>
      JSON.stringify(JSON.parse(index % 9 === 0 ? run(`p${index}`) : chat('y')), null, 2),
    ).join('\n');
    expect(trim(pretty, '--trust')).toEqual(trim(pretty));
  });
});
