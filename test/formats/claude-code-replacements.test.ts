/** Previews that Claude Code sends in place of long results (`content-replacement`). */
import { expect, it } from 'vitest';
import { linesOf } from '../shared/fixture.js';
import { runProgram } from '../shared/program.js';
import { rewriteText } from '../shared/rewrite-text.js';

const line = (index: number, type: string, content: unknown) => ({
  parentUuid: index === 0 ? null : `u${index - 1}`,
  ...{ isSidechain: false, sessionId: 's', type, message: { role: type, content }, uuid: `u${index}` },
});
const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(3000) });
const preview = (id: string) => ({ kind: 'tool-result', toolUseId: id, replacement: `<persisted-output>${id}` });
const previews = (...ids: readonly string[]) => ({
  ...{ type: 'content-replacement', sessionId: 's', replacements: ids.map(preview) },
});
const log = (...ids: readonly string[]) =>
  [
    line(0, 'user', 'Go.'),
    line(1, 'assistant', [call('c1')]),
    line(2, 'user', [result('c1')]),
    line(3, 'assistant', [call('c2')]),
    line(4, 'user', [result('c2')]),
    previews(...ids),
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
const left = (text: string) =>
  linesOf(text).flatMap((one) =>
    one.type === 'content-replacement' ? [one.replacements.map((item: { toolUseId: string }) => item.toolUseId)] : [],
  );

it('go with the results that they stand for, or that changed', () => {
  const clear = { trigger: 0, keep: 1 };
  expect(left(rewriteText(log('c1', 'c2'), 'clear', clear))).toEqual([['c2']]);
  expect(left(rewriteText(log('c1'), 'clear', clear))).toEqual([[]]);
  expect(left(rewriteText(log('c1', 'c2'), 'filter', { maxToolCalls: 1 }))).toEqual([['c2']]);
});

it('stay where nothing of them changed', () => {
  expect(left(rewriteText(log('c1', 'c2'), 'filter', { maxToolCalls: 2 }))).toEqual([['c1', 'c2']]);
  expect(rewriteText(log('c2'), 'clear', { trigger: 0, keep: 1 })).toContain(JSON.stringify(previews('c2')));
});

it('have the new ids of calls that were renamed', () => {
  const text = log('bad:1', 'c2').replaceAll('"c1"', '"bad:1"');
  const { stdout } = runProgram(['check', '--fix', '-o', '-', '-'], { input: text });
  expect(left(stdout)).toEqual([['bad_1', 'c2']]);
});
