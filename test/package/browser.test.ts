/** The library in a program without Node: bundled for a browser, and run where nothing of Node is. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { afterAll, expect, it } from 'vitest';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-browser-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

mkdirSync(join(folder, 'node_modules'));
symlinkSync(resolve('.'), join(folder, 'node_modules/ctx-trim'), 'junction');
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

/** The value of `result`, a promise, at the end of a program that is bundled into one script. */
async function resultOf(program: string): Promise<unknown> {
  const input = join(folder, 'program.js');
  writeFileSync(input, program);
  const bundle = await rolldown({ input, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'program', codeSplitting: false });
  await bundle.close();
  expect(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.imports : []))).toEqual([]);
  const world = createContext({ TextEncoder, TextDecoder, URL, console });
  return JSON.parse((await runInContext(`${output[0].code}; program.result`, world)) as string);
}

const PROGRAM = `
import { trim } from 'ctx-trim/openai';
const call = (id) => ({ role: 'assistant', content: null, tool_calls: [
  { id, type: 'function', function: { name: 'look', arguments: '{}' } }] });
const answer = (tool_call_id) => ({ role: 'tool', tool_call_id, content: 'seen' });
const asked = { role: 'user', content: 'Look twice.' };
const messages = [asked, call('a'), answer('a'), call('b'), answer('b'), { role: 'user', content: 'And?' }];
const sent = async (steps, options) => {
  try {
    const { messages: list } = await trim(steps, options).request({ messages });
    return list.map((message) => messages.indexOf(message));
  } catch ({ message }) {
    return message;
  }
};
export const result = (async () => JSON.stringify([
  await sent(['filter:max-tool-calls=1,every=1']),
  await sent(['fit:max-tokens=1000'], { countTokens: (text) => text.length }),
  await sent(['fit:max-tokens=1000']),
]))();
`;

it('trims where there is no Node, and counts with what it is given', async () => {
  expect(await resultOf(PROGRAM)).toEqual([
    [0, 3, 4, 5],
    [0, 1, 2, 3, 4, 5],
    'outside Node there are no tables to count tokens with: pass `countTokens`',
  ]);
});
