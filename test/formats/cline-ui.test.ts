/** `ui_messages.json` of Cline and Roo Code: who says what, which requests there are, and what repeats what. */
import { describe, expect, it } from 'vitest';
import { pair } from '../../src/transcript/pairs.js';
import type { Recorded, Transcript } from '../../src/transcript/types.js';
import { NO_USAGE } from '../../src/transcript/usage.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';
import { itReads, outline, saidIn } from '../shared/unread-files.js';

interface Row {
  readonly type: string;
  readonly say?: string;
  readonly text?: string;
}

const cline = fixture('cline-ui/hand-cline.json');
const roo = fixture('cline-ui/hand-roo.json');
const first = (text: string): Transcript => openText(text).transcripts[0]!;
const requestsOf = ({ messages, recorded }: Transcript): Recorded[] =>
  messages.flatMap((message) => {
    const found = recorded!(message);
    return found?.usage !== undefined || found?.cost !== undefined ? [found] : [];
  });
const rowsOf = (text: string) => JSON.parse(text) as Row[];

describe('a task of Cline', () => {
  it('is told once: requests hold what the user wrote and what tools answered', () => {
    const told = outline(first(cline)).map((line) => line.slice(0, 70).replaceAll('\n', ' '));
    expect(told).toEqual([
      'user: <task> Rename the option `colour` to `color` everywhere. </task>  <enviro'.slice(0, 70),
      'assistant: thinking The option may be used in several files.',
      'assistant: I will look for it first.',
      'assistant: search_files({"path":"src","regex":"colour","filePattern":"*.ts","operat'.slice(0, 70),
      'assistant: thinking - [ ] Find the option - [ ] Rename it',
      'tool: = Found 2 results.  src/options.ts │---- │  colour: string;  <environme'.slice(0, 70),
      'assistant: replace_in_file({"path":"src/options.ts","diff":"------- SEARCH\\n  colo'.slice(0, 70),
      'assistant: execute_command({"command":"npm test"})',
      'tool: = The content was successfully saved to src/options.ts. + = Command executed.'.slice(0, 70),
      'assistant: use_mcp_tool({"serverName":"git","type":"use_mcp_tool","toolName":"commi'.slice(0, 70),
      'tool: = committed 1a2b3c4  <environment_details> # Current Mode ACT MODE </en'.slice(0, 70),
      'assistant: The option is now called `color`; all tests pass.',
      'user: And the docs? + image',
      'user: [attempt_completion] Result: Done  The user has provided feedback on t'.slice(0, 70),
      'assistant: ask_followup_question({"question":"Which docs do you mean?","options":["'.slice(0, 70),
    ]);
  });

  it('has an answer for each call but the last', () => {
    const { calls, results } = pair(first(cline).messages);
    expect(calls.map(({ results: [answer] }) => answer?.part.tool)).toEqual([
      'search_files',
      'replace_in_file',
      'execute_command',
      'use_mcp_tool',
      undefined,
    ]);
    expect(results.every(({ call }) => call !== undefined)).toBe(true);
  });

  it('states usage and cost of each request, also of those that the user undid', () => {
    const requests = requestsOf(first(cline));
    expect(requests).toHaveLength(7);
    expect(requests[0]).toEqual({
      requestId: '1767000003000',
      model: 'claude-sonnet-4-5',
      time: 1767000003000,
      usage: { ...NO_USAGE, input: 1200, output: 45, cacheWrite5m: 3000 },
      cost: '0.0155',
    });
    expect(requests[2]).toMatchObject({ failed: true, usage: NO_USAGE });
    expect(requests[6]).toMatchObject({ usage: { input: 500, cacheRead: 100 }, cost: '0.00168' });
  });

  it('loses a text in every row that repeats it', () => {
    const gone = ['Rename the option `colour`', 'Found 2 results.', '3 passed'];
    const after = mapText(cline, (transcript) => ({
      ...transcript,
      messages: transcript.messages.filter(({ parts }) => !gone.some((text) => JSON.stringify(parts).includes(text))),
    }));
    for (const text of gone) expect(after).not.toContain(text);
  });
});

describe('a task of Roo Code', () => {
  it('has results in the rows of the calls, or behind them', () => {
    expect(outline(first(roo))).toEqual([
      'user: Add a test for the parser.',
      'assistant: thinking First the list of files.',
      'assistant: Let me see what is there.',
      'assistant: list_files({"path":"src","isOutsideWorkspace":false}) + = parser.ts\nparser.test.ts',
      expect.stringMatching(/^assistant: read_file\(.*parser\.ts.*\) \+ = $/),
      'assistant: execute_command({"command":"npx vitest run src/parser.test.ts"})',
      'tool: = 1 failed\n2 passed',
      'assistant: codebase_search({"query":"parse","isOutsideWorkspace":false})',
      expect.stringMatching(/^tool: = .*codebaseSearch/),
      'user: The user wants a test for the parser; one test fails.',
      expect.stringMatching(/^assistant: ask_followup_question\(.*\) \+ = $/),
      'user: Yes',
      'assistant: Test added.',
    ]);
  });

  it('counts cached tokens in, since version 3.29.5, and states the cost of condensing', () => {
    expect(requestsOf(first(roo)).map(({ usage, cost }) => [usage?.input, usage?.cacheRead, cost])).toEqual([
      [200, 3000, '0.01035'],
      [1100, 5000, '0.0052'],
      [400, 6000, '0.0039'],
      [undefined, undefined, '0.0121'],
    ]);
  });
});

it('a row of the model names its model, which may change within a task', () => {
  const said = (ts: number, modelId?: string) => ({
    ...{ ts, type: 'say', say: 'text', text: 'Done.' },
    ...(modelId !== undefined && { modelInfo: { providerId: 'anthropic', modelId, mode: 'act' } }),
  });
  const rows = [said(1, 'claude-sonnet-4-5'), said(2, 'claude-haiku-4-5'), said(3)];
  const models = first(JSON.stringify(rows)).messages.map(({ model }) => model);
  expect(models).toEqual(['claude-sonnet-4-5', 'claude-haiku-4-5', undefined]);
});

itReads('cline-ui/fineye_ui_messages.json', 'is read whole', (text) => {
  const rows = rowsOf(text);
  const { detection, transcripts } = openText(text);
  expect(detection).toMatchObject({ format: { id: 'cline-ui' }, confidence: 1 });
  const [transcript] = transcripts;
  const infos = rows
    .filter(({ say }) => say === 'api_req_started')
    .map(({ text: info }) => JSON.parse(info!) as Record<string, number>);
  const requests = requestsOf(transcript!);
  expect(requests.map(({ usage }) => [usage!.input, usage!.output, usage!.cacheRead])).toEqual(
    infos.map(({ tokensIn, tokensOut, cacheReads }) => [tokensIn, tokensOut, cacheReads]),
  );
  expect(requests.reduce((sum, { cost }) => sum + Number(cost), 0)).toBeCloseTo(0.47771265, 9);
  const told = saidIn(transcripts);
  const texts = ['text', 'reasoning', 'completion_result', 'user_feedback', 'task_progress'];
  for (const { say, text: own } of rows) if (texts.includes(say ?? '')) expect(told, own!.slice(0, 80)).toContain(own);
  const { calls, results } = pair(transcript!.messages);
  const shown = rows.filter(({ say, ...row }) => say === 'tool' || ('ask' in row && row.ask === 'followup'));
  expect(calls).toHaveLength(shown.length);
  expect(results.every(({ call }) => call !== undefined)).toBe(true);
  expect(calls.filter(({ results: found }) => found.length !== 1)).toHaveLength(1); // the user stopped the task there
});
