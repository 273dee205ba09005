/** Which errors of a rule are whose: `check` quotes those of the provider that is judged, and of no other. */
import { describe, expect, it } from 'vitest';
import { check } from '../../src/engine/check/findings.js';
import { allRules } from '../../src/rules/index.js';
import { providers } from '../../src/rules/providers.js';
import { errorOf, errorsOf, OR } from '../../src/rules/rule.js';
import { rulesFor } from '../../src/rules/run-rules.js';
import { runProgram } from '../shared/program.js';

const rules = allRules();
const parted = rules.filter(({ error }) => typeof error !== 'string').map((rule) => [rule.id, rule] as const);

/** Their errors are said by all of their providers: Bedrock quotes Claude's, and the APIs of OpenAI share theirs. */
const SHARED = ['anthropic/thinking-budget', 'chat/image-format'];

/** Forms of errors that tell whose they are. */
const FORMS: readonly (readonly [form: RegExp, whose: RegExp])[] = [
  [/^(?:messages|tools)\.\d+\.(?:content|custom)|^output_config|^tool_choice: /, /^(?:anthropic|vertex-claude)$/],
  [/GenerateContentRequest/, /^gemini$/],
  [/^Invalid JSON payload|TYPE_BYTES|function_?declaration/i, /^(?:gemini|vertex)$/],
  [/^Unable to submit request/, /^vertex$/],
  [/toolConfig/, /^bedrock/],
  [/InternalError\.Algo/, /^dashscope$/],
  [/\(2013\)$/, /^minimax$/],
  [/\(12\d\d\)$/, /^zhipu$/],
  [/^Invalid schema for|^Missing required parameter: '/, /^(?:openai-|azure$|github-copilot$|deepseek$)/],
  [/'input\[|Responses API/, /^openai-responses$/],
];

it('rules of several providers say whose each of their errors is', () => {
  const mixed = rules.filter(
    ({ error, providers: own }) => typeof error === 'string' && error.includes(OR) && own.length > 1,
  );
  expect(mixed.map(({ id }) => id).sort()).toEqual(SHARED);
});

describe.each(parted)('%s', (_, rule) => {
  const named = Object.keys(rule.error).flatMap((ids) => ids.split(' '));

  it('names providers that it is for', () => {
    const judged = providers.filter((provider) => rulesFor([rule], provider, true).length > 0).map(({ id }) => id);
    expect(named.filter((id) => !judged.includes(id))).toEqual([]);
  });

  it.each(providers.map((provider) => [provider.id, provider] as const))(
    'quotes to %s only its own',
    (id, provider) => {
      const quoted = errorOf(rule, provider)?.split(OR) ?? [];
      const own = Object.entries(rule.error).filter(([ids]) => ` ${ids} `.includes(` ${id} `));
      expect(quoted).toEqual(own.flatMap(([, text]) => text.split(OR)));
      const foreign = quoted.filter((text) => FORMS.some(([form, whose]) => form.test(text) && !whose.test(id)));
      expect(foreign).toEqual([]);
    },
  );

  it('lists all of them', () => {
    for (const text of Object.values(rule.error))
      expect(errorsOf(rule).split(OR)).toEqual(expect.arrayContaining(text.split(OR)));
  });
});

const TOOL = { name: 'f', parameters: { type: 'object', properties: { b: { type: 'array' } } } };
const asChat = (model: string, parameters: object) =>
  JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { ...TOOL, parameters } }],
  });
const GEMINI = JSON.stringify({
  contents: [{ role: 'user', parts: [{ text: 'x' }] }],
  generationConfig: { responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING', not: {} } } } },
});
const errorIn = (body: string, provider: string) =>
  check(body, { provider, asRequest: true }).find(({ rule }) => rule === 'request/tool-schema')!.error;

it('check quotes the provider of the request', () => {
  expect(errorIn(asChat('gpt-4o', TOOL.parameters), 'openai-chat')).toMatch(/^Invalid schema for function/);
  expect(errorIn(asChat('deepseek-chat', { properties: { a: { type: 'string' } } }), 'deepseek')).toContain(
    "'type: null'",
  );
  const { stdout } = runProgram(['check', '--as-request'], { input: asChat('gpt-4o', TOOL.parameters) });
  expect(stdout).toMatch(/API error: Invalid schema for\s+function/);
  expect(stdout).not.toContain('input_schema');
});

it('check quotes nobody where it does not know what the provider says', () => {
  const [body, args] = [GEMINI, ['check', '--as-request', '--provider', 'gemini']];
  const found = check(body, { provider: 'gemini', asRequest: true });
  expect(found).toMatchObject([{ rule: 'request/output-schema', severity: 'error', error: undefined }]);
  for (const format of ['pretty', 'json', 'junit', 'sarif', 'github', 'gitlab']) {
    const { stdout } = runProgram([...args, '--format', format], { input: body });
    expect(stdout).toContain('request/output-schema');
    expect(stdout).not.toMatch(/API error|The API says/);
  }
});

it('SARIF quotes the providers of its findings', () => {
  const input = asChat('gpt-4o', TOOL.parameters);
  const { stdout } = runProgram(['check', '--as-request', '--format', 'sarif'], { input });
  const said = stdout.match(/The API says: [^\\]+/g)!;
  expect(said).toEqual([expect.stringMatching(/^The API says: Invalid schema for function/), expect.any(String)]);
  expect(stdout).not.toMatch(/input_schema|GenerateContentRequest|toolSpec/);
});
