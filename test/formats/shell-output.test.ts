/** Blocks of a shell: stdout and stderr are texts of their own, and one block again. */
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/formats/format.js';
import openaiResponses from '../../src/formats/openai/openai-responses.js';
import openaiAgents from '../../src/formats/openai-agents/openai-agents.js';
import { run } from '../../src/index.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { textOf } from '../../src/transcript/text.js';
import type { ContentPart, ResultPart } from '../../src/transcript/types.js';

const FORMATS: readonly (readonly [id: string, format: Format, ids: object, exitCode: string])[] = [
  ['openai-responses', openaiResponses, { call_id: 'c' }, 'exit_code'],
  ['openai-agents', openaiAgents, { callId: 'c' }, 'exitCode'],
];

describe.each(FORMATS)('%s', (_, format, ids, exitCode) => {
  const block = (stdout: string, stderr: string) => ({ stdout, stderr, outcome: { type: 'exit', [exitCode]: 0 } });
  const item = (output: unknown) => ({ type: 'shell_call_output', ...ids, output });
  const read = (output: unknown) => format.read(parse(JSON.stringify(item(output))));
  const contentOf = (output: unknown) => (read(output).parts[0] as ResultPart).content;
  const textsOf = (output: unknown) =>
    contentOf(output).map((part) => (part.type === 'text' ? textOf(part.text) : part.type));
  const written = (output: unknown, change: (content: readonly ContentPart[]) => readonly ContentPart[]) => {
    const message = read(output);
    const part = message.parts[0] as ResultPart;
    const after = { ...message, parts: [{ ...part, content: change(part.content) }] };
    return JSON.parse(printed(format.write(after, undefined as never)));
  };
  const named = (text: string, to?: string) => (content: readonly ContentPart[]) =>
    content.flatMap((part) =>
      part.type !== 'text' || textOf(part.text) !== text ? [part] : to === undefined ? [] : [{ ...part, text: to }],
    );

  it('reads what went to stdout and to stderr', () => {
    expect(textsOf([block('a', 'b'), block('', 'c'), block('d', ''), block('', '')])).toEqual([
      ...['a', 'b', 'c', 'd', 'opaque'],
    ]);
    expect(textsOf(block('a', 'b'))).toEqual(['a', 'b']);
  });

  it('writes each where it stood', () => {
    const output = [block('a', 'b'), block('', 'c')];
    expect(written(output, (content) => content)).toEqual(item(output));
    expect(written(output, named('a', 'x'))).toEqual(item([block('x', 'b'), block('', 'c')]));
    expect(written(output, named('b', 'x'))).toEqual(item([block('a', 'x'), block('', 'c')]));
    expect(written(output, named('c', 'x'))).toEqual(item([block('a', 'b'), block('', 'x')]));
    expect(written(block('a', 'b'), named('b', 'x'))).toEqual(item(block('a', 'x')));
  });

  it('empties one that is gone, and drops a block of which nothing is left', () => {
    const output = [block('a', 'b'), block('', 'c')];
    expect(written(output, named('a'))).toEqual(item([block('', 'b'), block('', 'c')]));
    expect(written(output, named('b'))).toEqual(item([block('a', ''), block('', 'c')]));
    expect(written(output, named('c'))).toEqual(item([block('a', 'b')]));
    expect(written(output, () => [])).toEqual(item([]));
  });
});

it('a patch without its output gets one that failed, as the API names it', () => {
  const call = {
    type: 'apply_patch_call',
    call_id: 'p',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a' },
  };
  const sent = run([{ role: 'user', content: 'Go.' }, call, { role: 'user', content: 'On.' }], ['patch'], {
    from: 'openai-responses',
  });
  expect(sent[2]).toEqual({
    ...{ type: 'apply_patch_call_output', call_id: 'p', status: 'failed' },
    output: expect.stringContaining('was cancelled'),
  });
});
