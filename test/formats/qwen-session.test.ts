/** Sessions of Qwen Code: compressions, and what is shown of results. */
import { expect, it } from 'vitest';
import { examineSession } from '../../src/engine/check/sessions.js';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { printedByProgram, runProgram } from '../shared/program.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

interface Line {
  readonly type: string;
  readonly toolCallResult?: Readonly<Record<string, unknown>>;
  readonly systemPayload?: { readonly compressedHistory: readonly { readonly parts: readonly object[] }[] };
}

interface Totals {
  readonly totals: Readonly<Record<string, number>>;
}

const text = fixture('qwen-session/hand-compression.jsonl');
const [snapshot, thanks] = ['<state_snapshot>The files were listed', 'Got it. Thanks for the additional context!'];
const told = ({ role, parts }: Message) =>
  `${role}: ${parts.map((part) => (part.type === 'text' ? textOf(part.text).slice(0, 37) : part.type)).join(' ')}`;
const historyIn = (written: string) =>
  linesOf<Line>(written).flatMap(({ systemPayload }) => systemPayload?.compressedHistory ?? []);

it('reads what a compression says as a message; calls and results in it are those of before', () => {
  const [transcript] = openText(text).transcripts;
  expect(transcript!.messages.map(told)[5]).toBe(`user: ${snapshot} ${thanks.slice(0, 37)}`);
  expect(withoutCompacted(transcript!).messages.map(told)).toEqual([
    'assistant: I look again. call',
    'tool: result',
    `user: ${snapshot} ${thanks.slice(0, 37)}`,
    'assistant: There are sixty files.',
    'user: Thanks.',
    'assistant: You are welcome.',
  ]);
  expect(printedByProgram(['check', '-'], { input: text })).not.toContain('unread');
});

it('cuts what is shown of a result with it, and its copies in a compression', () => {
  const cut = rewriteText(text, 'truncate', { maxLength: 300, noMinimum: true });
  expect(cut.match(/file-30\.go/g)).toBeNull();
  expect(text.match(/file-30\.go/g)).toHaveLength(5);
  const shown = linesOf<Line>(cut)
    .map(({ toolCallResult }) => toolCallResult)
    .filter((each) => each !== undefined);
  expect(shown.map(({ callId, status }) => `${String(callId)} ${String(status)}`)).toEqual([
    'call_1 success',
    'call_2 success',
  ]);
});

it('what goes is in no compression either', () => {
  expect(historyIn(text)).toHaveLength(4);
  const filtered = historyIn(rewriteText(text, 'filter', { maxToolCalls: 0 }));
  expect(filtered.map(({ parts }) => parts.map((part) => Object.keys(part)))).toEqual([
    [['text']],
    [['text']],
    [['text']],
  ]);
  expect(historyIn(rewriteText(text, 'filter', { maxToolCalls: 1 }))).toEqual(historyIn(text));
});

it('writes an edited summary where it stood', () => {
  const edited = mapText(text, (transcript) =>
    mapMessages(transcript, (message) =>
      mapParts(message, (part) =>
        part.type === 'text' && textOf(part.text).startsWith(snapshot) ? { ...part, text: 'Short.' } : part,
      ),
    ),
  );
  const [first, ...rest] = historyIn(edited);
  expect(first).toEqual({ role: 'user', parts: [{ text: 'Short.' }] });
  expect(rest).toEqual(historyIn(text).slice(1));
});

it('writes a text in place of all of a summary before the calls that it repeats', () => {
  const edited = mapText(text, (transcript) =>
    mapMessages(transcript, (message) =>
      told(message).startsWith(`user: ${snapshot}`)
        ? { ...message, parts: [{ type: 'text', text: 'Anew.' }] }
        : message,
    ),
  );
  const [first, ...rest] = historyIn(edited);
  expect(first).toEqual({ role: 'user', parts: [{ text: 'Anew.' }] });
  expect(rest).toEqual(historyIn(text).slice(2));
});

it('a secret in a compression, or in what is shown, is redacted', () => {
  expect(text.match(/ghp_\w{36}/g)).toHaveLength(4);
  expect(printedByProgram(['redact', '-'], { input: text })).not.toMatch(/ghp_\w{36}/);
});

const counts = (...args: string[]) => {
  const { totals } = JSON.parse(runProgram(['stats', '--recorded', '--format', 'json', ...args]).stdout) as Totals;
  const { requests, input, cache_read: cached, output, total } = totals;
  return { requests, input, cached, output, total };
};

/** What Qwen Code 0.24.4 wrote into its `usage_record.jsonl` of this session. */
const OWN_BILL = { requests: 7, input: 7280 - 4200, cached: 4200, output: 350, total: 7630 };

it('counts the requests of sub-agents, as Qwen Code does itself, and once where their own files are read too', () => {
  const [session, agent] = ['hand-agent', 'hand-subagent'].map((name) => `fixtures/formats/qwen-session/${name}.jsonl`);
  expect(counts(session!)).toEqual(OWN_BILL);
  expect(counts(session!, agent!)).toEqual(OWN_BILL);
  expect(counts(agent!, session!)).toEqual(OWN_BILL);
  expect(counts(agent!)).toMatchObject({ requests: 2, input: 2070 - 1200 });
});

it('sends what is on the way from the last record, and nothing that was said to a model that speaks', () => {
  const rewound = openText(fixture('qwen-session/hand-rewind.jsonl')).transcripts;
  expect(rewound.map(({ messages }) => messages.filter(({ role }) => role !== 'meta').map(told))).toEqual([
    [
      ...['user: List the files.', 'assistant: call', 'tool: result', 'assistant: There are a.txt and b.txt.'],
      ...['user: Read a.txt instead.', 'assistant: call', 'tool: result', 'user: Only the first word, please.'],
      'assistant: The first word is "words".',
    ],
    ['user: Delete b.txt.', 'assistant: I will not delete anything without as'],
  ]);
});

it('leaves records that Qwen Code takes for pieces of one, and those on one line, as it reads them', () => {
  const name = '/chats/x.jsonl';
  const [first, ...rest] = fixture('qwen-session/hand-session.jsonl').trimEnd().split('\n');
  const piece = JSON.stringify({ ...JSON.parse(first!), message: { role: 'user', parts: [{ text: 'And more.' }] } });
  const pieces = Buffer.from([first, piece, ...rest].join('\n'));
  expect(examineSession(pieces, name)).toMatchObject({ agent: 'qwen-code', findings: [] });
  const joined = examineSession(Buffer.from(`${first}${rest.join('\n')}\n`), name)!;
  expect(joined.findings.map(({ text: said }) => said)).toEqual([expect.stringMatching(/^two records stand on this/)]);
});

it('what the user left by going back is an abandoned branch, and Qwen Code loads the way from the last line', () => {
  const line = (uuid: string, parentUuid: string | null, type: string, text: string) => ({
    ...{ uuid, parentUuid, sessionId: 's', timestamp: '2026-11-20T10:00:00.000Z', type, cwd: '/w', version: '0.5.0' },
    message: { role: type === 'user' ? 'user' : 'model', parts: [{ text }] },
  });
  const lines = [
    line('a', null, 'user', 'one'),
    line('b', 'a', 'assistant', 'two'),
    line('c', 'b', 'user', 'left'),
    line('d', 'c', 'assistant', 'left, too'),
    line('e', 'b', 'user', 'three'),
    line('f', 'e', 'assistant', 'four'),
  ];
  const [main, ...others] = openText(lines.map((one) => `${JSON.stringify(one)}\n`).join('')).transcripts;
  const said = (messages: readonly Message[]) =>
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : [])));
  expect(said(main!.messages)).toEqual(['one', 'two', 'three', 'four']);
  expect(said((others[0] ?? main!.agents![0]!).messages)).toEqual(['left', 'left, too']);
});

it('is told by its other records where one lacks its parts, also after a step', () => {
  const [first, ...rest] = linesOf(fixture('qwen-session/hand-session.jsonl'));
  const { parts: _, ...message } = first.message;
  const damaged = [{ ...first, message }, ...rest].map((line) => `${JSON.stringify(line)}\n`).join('');
  for (const written of [damaged, rewriteText(damaged, 'filter', { maxToolCalls: 0, everything: true })])
    expect(openText(written).detection.format.id).toBe('qwen-session');
});
