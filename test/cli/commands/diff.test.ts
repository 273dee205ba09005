/** `diff` of two recordings whose texts are the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-diff-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Given {
  readonly signature?: string;
  readonly data?: string;
  readonly error?: object;
}

function recording(name: string, { signature = 'abc', data = 'AAAA', error = {} }: Given = {}): string {
  const messages = [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 't', signature },
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'text', text: 'boom' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          ],
          ...error,
        },
      ],
    },
  ];
  writeFileSync(join(home, name), JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 10, messages }));
  return name;
}

const base = recording('base.json');
const diff = (...words: string[]) => runProgram(['diff', base, ...words], { cwd: home });

it.each([
  ['error mark', 2, { error: { is_error: true } }],
  ['signature', 1, { signature: 'zzz' }],
  ['image', 2, { data: 'BBBBBBBB' }],
] as const)('names what changed and stands in no text: %s', (name, index, given) => {
  const other = recording(`${name}.json`, given);
  const { status, stdout } = diff(other);
  expect([status, stdout]).toEqual([0, expect.stringMatching(new RegExp(`~ #${index} .*\\n +changed: ${name}\\n`))]);
  expect(diff('--side-by-side', other).stdout).toContain(`changed: ${name}`);
  expect(diff('--format', 'markdown', other).stdout).toContain(`changed: ${name}; `);
  const { transcripts } = JSON.parse(diff('--format', 'json', other).stdout) as {
    transcripts: { kept: number; changes: object[] }[];
  };
  expect(transcripts).toMatchObject([{ kept: 2, changes: [{ kind: 'changed', unshown: [name] }] }]);
});

it('finds nothing where nothing is else', () => {
  const { stdout, stderr } = diff(recording('same.json', { error: { is_error: false } }));
  expect(stdout + stderr).toContain('1 transcript unchanged');
});
