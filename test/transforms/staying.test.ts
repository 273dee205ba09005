/** What a person said, the last plan and the error stay, whatever step shortens (`../shared/cases/policies`). */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run, type StepName } from '../../src/index.js';

const FOLDER = '../shared/cases/policies';
const REASON = "never touch prod.db, and keep the file's name";
const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  `new_string was NOT written to the file). The user provided the following reason for the rejection:  ${REASON}`;
const WRAPPED = `Exit code 2\n${'cc -c more.c\n'.repeat(60)}foo.c:12:3: error: 'bar' undeclared\n`;

const STEPS: readonly StepName[] = ['1', '2', 'auto'].flatMap((every) => [
  `retries:every=${every}`,
  `retries:drop,every=${every}`,
  `filter:max-tool-calls=0,every=${every}`,
  `filter:max-tool-calls=0,unit=round,marker,every=${every}`,
  `clear:trigger=0,keep=0,min-size=0,clear-inputs,every=${every}`,
  `stale:every=${every}`,
  `dedupe:every=${every}`,
]);

type Call = readonly [tool: string, input: object, content: string, isError?: boolean];

const round = ([name, input, content, is_error]: Call, at: number) => [
  { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${at}`, name, input }] },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content, ...(is_error && { is_error }) }],
  },
];
const session = (...calls: readonly Call[]) =>
  JSON.stringify({ messages: [{ role: 'user', content: 'go' }, ...calls.flatMap(round)] });

const left = (text: string, step: StepName) =>
  run(text, [step], { from: 'anthropic-messages', countTokens: (one) => one.length });
const READS: readonly Call[] = Array.from({ length: 12 }, (_, at) => [
  'Read',
  { file_path: `${at}` },
  'x'.repeat(4000),
]);

describe.each(STEPS)('%s', (step) => {
  it('keeps why a person rejected a plan, although the same plan comes again', () => {
    const rejected = session(['ExitPlanMode', { plan: 'x' }, REFUSED, true], ...READS, [
      ...(['ExitPlanMode', { plan: 'x' }, 'User has approved your plan.'] as const),
    ]);
    expect(left(rejected, step)).toContain(REASON);
    const edit = session(['Edit', { file_path: 'a' }, REFUSED, true], ...READS, ['Edit', { file_path: 'a' }, 'ok']);
    expect(left(edit, step)).toContain(REASON);
  });

  it('keeps what a person answered, and the last list of tasks', () => {
    const plan = (content: string): Call => ['TodoWrite', { todos: [{ content }] }, 'Todos have been modified'];
    const asked = session(['AskUserQuestion', { q: 'Which?' }, 'The blue one'], plan('old'), plan('new'), ...READS);
    expect(left(asked, step)).toContain('The blue one');
    expect(left(asked, step)).toContain('"content":"new"');
  });
});

it('retries keeps the error, not its wrapper', () => {
  const failed = session(['Bash', { command: 'make' }, WRAPPED, true], ['Bash', { command: 'make' }, 'ok']);
  const kept = left(failed, 'retries');
  expect(kept).toContain("error: 'bar' undeclared");
  expect(kept.length).toBeLessThan(failed.length);
});

it('a request of Anthropic keeps the user that it begins with, although all calls of the turn go', () => {
  const said = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'done' },
  ];
  const calls = round(['Read', {}, 'x'], 0);
  const text = JSON.stringify({ messages: [said[0], ...calls, said[1]] });
  const step = 'filter:max-tool-calls=0,drop-user,everything';
  expect(JSON.parse(left(text, step))).toEqual({ messages: said });
});

describe.skipIf(!existsSync(FOLDER))('shared cases', () => {
  it.each(STEPS)('%s keeps the words of the user', (step) => {
    expect(left(readFileSync(`${FOLDER}/rejected-plan.json`, 'utf8'), step)).toContain(REASON);
  });
  it('retries keeps the error', () => {
    expect(left(readFileSync(`${FOLDER}/error-after-wrapper.json`, 'utf8'), 'retries')).toContain("'bar' undeclared");
  });
});

/** Tools by which agents ask a person; src/transforms/spoken-tools.ts has the documents that name them. */
it.each(
  `
  AskUserQuestion, ExitPlanMode, request_user_input, ask_followup_question, plan_mode_respond, attempt_completion,
  ask_user, ask_user_question, exit_plan_mode, vscode_askQuestions, AskUser, question
`
    .trim()
    .split(/,\s+/),
)('what a person answered to %s stays', (tool) => {
  const asked = session([tool, { q: 'Which?' }, 'The blue one'], ...READS);
  expect(left(asked, 'filter:max-tool-calls=0')).toContain('The blue one');
  expect(left(asked, 'filter:max-tool-calls=0,everything')).not.toContain('The blue one');
});
