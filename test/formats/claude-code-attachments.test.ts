/** What Claude Code sends beside messages: mentioned files, reminders, what hooks say. It is counted. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runIn } from '../../src/cli/cli.js';
import { run } from '../../src/engine/rewrite/run.js';
import { attachedIn } from '../../src/formats/attachments.js';
import { addedUp } from '../../src/measure/stats/attachments.js';
import { openText } from '../shared/opened.js';
import { memoryTerminal } from '../shared/terminal.js';

const FILE = 'fixtures/attachments/claude-code.jsonl';
const log = readFileSync(FILE, 'utf8');

async function runs(...words: readonly string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: '.' });
  const code = await runIn(terminal, words);
  return { code, out: out(), err: err() };
}

const attachedTo = (text: string) =>
  [...attachedIn(openText(text).transcripts[0]!)].map(([index, { kind, texts, media, isKnown }]) => [
    ...[index, kind, texts.map((node) => node.text.slice(0, 44))],
    ...(media > 0 ? [media] : []),
    ...(isKnown ? [] : ['unknown']),
  ]);

it('stands at places by kind, or is repeated as it was sent', () => {
  expect(attachedTo(log)).toEqual([
    [0, 'hook_success', ['SessionStart:startup', 'Branch: main']],
    [2, 'file', ['/w/notes.txt', 'The harbor opens at nine.\nThe harbor opens a']],
    [3, 'file', ['/w/map.png'], 1],
    [4, 'nested_memory', ['/w/sub/CLAUDE.md', 'Use tabs.']],
    [8, 'task_reminder', ['1', 'pending', 'Row out']],
    [9, 'auto_mode', ['<system-reminder>\nAuto mode is on.\n</system-']],
    [11, 'weather', ['Gale from the west.', 'Stay in.'], 'unknown'],
  ]);
});

it.each([
  ['nothing was sent', { attachment: { type: 'weather', report: 'Gale.' }, rendered: [] }, []],
  ['the user wrote it', { attachment: { type: 'queued_command', prompt: 'Stop.' } }, []],
  [
    'a hook adds several',
    { attachment: { type: 'hook_additional_context', hookName: 'Stop', content: ['a', 'b'] } },
    [[0, 'hook_additional_context', ['Stop', 'a', 'b']]],
  ],
  [
    'blocks were sent',
    { attachment: { type: 'file' }, rendered: [{ content: [{ type: 'text', text: 'Read.' }] }] },
    [[0, 'file', ['Read.']]],
  ],
  ['it has no kind', { attachment: { words: 'Gale.' } }, []],
  ['it is no object', { attachment: 'Gale.' }, []],
  ['members have other types', { attachment: { type: 'file', filename: 7, content: ['Gale.'] } }, [[0, 'file', []]]],
])('where %s', (_, fields, expected) => {
  const line = { type: 'attachment', ...fields, uuid: 'a', sessionId: 's' };
  const user = { type: 'user', message: { role: 'user', content: 'Hi.' }, uuid: 'b', sessionId: 's', parentUuid: 'a' };
  expect(attachedTo(`${JSON.stringify(line)}\n${JSON.stringify(user)}\n`)).toEqual(expected);
});

it('is counted by stats, in no other figure', async () => {
  const { out } = await runs('stats', FILE);
  expect(out).toContain(`4 messages, 1 tool call, 1 result
one request  ~111 tokens, <0.1 % of the 200,000-token context window, <$0.01
attachments  `);
  const { transcripts, attachments } = JSON.parse((await runs('stats', '--format', 'json', FILE)).out);
  expect(transcripts[0].attachments).toEqual(attachments);
  expect(
    attachments.map(({ kind, records, media, known }: Record<string, unknown>) => [kind, records, media, known]),
  ).toEqual([
    ['file', 2, 1, true],
    ['auto_mode', 1, 0, true],
    ['nested_memory', 1, 0, true],
    ['weather', 1, 0, false],
    ['hook_success', 1, 0, true],
    ['task_reminder', 1, 0, true],
  ]);
  expect(addedUp([...attachments, ...attachments])[0]).toEqual({
    ...attachments[0],
    ...{ records: 4, tokens: 2 * attachments[0].tokens, media: 2 },
  });
});

it('begins no turn, and is named by the other commands', async () => {
  const { transcripts } = JSON.parse((await runs('stats', '--format', 'json', FILE)).out);
  expect(transcripts[0].turn_starts).toEqual([1]);
  expect(transcripts[0].title).toBe('What does @notes.txt say?');
  expect((await runs('formats', FILE)).out).toContain(', 4 messages, 7 attachments:');
  expect((await runs('show', FILE)).out).toMatch(/^4 messages, ~111 tokens, attachments with ~\d+ tokens, 2 requests/m);
  const { out } = await runs('show', '--role', 'meta', FILE);
  expect(out).toContain('#9 meta  record: auto_mode\n  <system-reminder>\n  Auto mode is on.\n');
  expect(out).toContain('#6 meta  record\n  (empty)\n');
  expect(out).toContain('… 28 more lines');
  expect((await runs('convert', '--to', 'openai-chat', FILE)).err).toContain(
    'what the agent sends beside messages: `auto_mode`, `file`, `hook_success`, `nested_memory`, `task_reminder`',
  );
});

it('is a loss of rows, and counted by the overview', async () => {
  expect((await runs('dataset', FILE)).err).toContain('1 row: 0 kept, 1 changed (attachment-lost 1), 0 dropped');
  expect((await runs(FILE)).out).toContain('~111 as one request, attachments with ~333 tokens, 1,906 input');
});

it('takes up room in the budget of fit', async () => {
  expect(await runs('fit', '--max-tokens', '444', FILE)).toEqual({ code: 0, out: log, err: '' });
  const { code, err } = await runs('fit', '--max-tokens', '443', FILE);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('444 tokens, 333 of them in attachments, which stay, 1 more'),
  ]);
  const said: string[] = [];
  const options = { countTokens: () => 10, onShortfall: (text: string) => said.push(text) };
  run(log, [{ transform: 'fit', maxTokens: 1 }], options);
  expect(said).toEqual([expect.stringContaining(', 110 of them in attachments')]);
});

it('counts towards the window of the model', async () => {
  const line = (fields: object) => `${JSON.stringify({ sessionId: 's', ...fields })}\n`;
  const user = line({ type: 'user', message: { role: 'user', content: 'What does @a.txt say?' }, uuid: 'a' });
  const file = {
    type: 'file',
    filename: 'a.txt',
    content: { type: 'text', file: { content: 'word '.repeat(250_000) } },
  };
  const mention = line({ type: 'attachment', attachment: file, uuid: 'b', parentUuid: 'a' });
  const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-attachments-'));
  const check = async (text: string) => {
    writeFileSync(join(folder, 'a.jsonl'), text);
    return (await runs('check', '--as-request', '--model', 'claude-opus-4-5', join(folder, 'a.jsonl'))).out;
  };
  expect(await check(user + mention)).toContain('core/context-overflow');
  expect(await check(user)).not.toContain('core/context-overflow');
  rmSync(folder, { recursive: true });
});

it('counts for the trigger of clear', async () => {
  const clear = (trigger: string) =>
    runs('clear', '--trigger', trigger, '--keep', '0', '--min-size', '0', '--text', '-', FILE);
  expect((await clear('444')).out).toBe(log);
  expect((await clear('443')).out).toBe(log.replace(`"content":"nine o'clock"`, '"content":"-"'));
  expect((await runs('clear', '--trigger', '444', '--summary', FILE)).err).toContain('444 tokens are not more than');
});
