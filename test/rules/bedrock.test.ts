/** Rules of Amazon Bedrock Converse: what their examples do not show. */
import { expect, it } from 'vitest';
import { providerOf } from '../../src/rules/providers.js';
import { checked, examine } from '../shared/examined.js';

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const call = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'ls', input: {} } });
const result = (toolUseId: string, more: object = {}) => ({
  toolResult: { toolUseId, content: [{ text: 'a' }], ...more },
});

it('minds a second result of one call', () => {
  const messages = [
    user({ text: 'x' }),
    assistant(call('t1')),
    user(result('t1'), result('t1')),
    assistant({ text: 'y' }),
  ];
  const { findings, mended } = checked({ messages }, 'bedrock', 'bedrock/tool-result-excess');
  expect(findings).toEqual([
    'bedrock/tool-result-excess: the result of ls (t1) answers a call that already has a result',
  ]);
  expect(mended).toEqual({ messages: [messages[0], messages[1], user(result('t1')), messages[3]] });
});

it('moves a late result that is all that is wrong', () => {
  const messages = [
    user({ text: 'x' }),
    assistant(call('t1')),
    user({ text: 'y' }),
    assistant({ text: 'z' }),
    user(result('t1')),
  ];
  expect(checked({ messages }, 'bedrock', 'bedrock/tool-result-excess').mended).toEqual({
    messages: [messages[0], messages[1], user(result('t1'), { text: 'y' }), messages[3]],
  });
});

it('keeps texts beside calls, but not of Llama', () => {
  const messages = [user({ text: 'x' }), assistant({ text: 'y' }, call('t1')), user(result('t1'))];
  expect(checked({ messages }, 'bedrock', 'bedrock/mixed').findings).toEqual([]);
  expect(checked({ messages }, 'bedrock-llama', 'bedrock/mixed').mended).toEqual({
    messages: [messages[0], assistant(call('t1')), messages[2]],
  });
  expect(providerOf('bedrock-converse', 'us.meta.llama4-maverick-17b-instruct-v1:0')?.id).toBe('bedrock-llama');
  expect(providerOf('bedrock-converse', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0')?.id).toBe('bedrock');
});

it('leaves cache points, and results that say nothing and are no error', () => {
  const messages = [
    user({ text: 'x' }, { cachePoint: { type: 'default' } }),
    assistant(call('t1')),
    user(result('t1', { content: [] })),
  ];
  expect(checked({ toolConfig: {}, messages }, 'bedrock', 'bedrock/').findings).toEqual([]);
});

it('minds a system tool without a toolConfig, and takes its blocks for no calls of the client', () => {
  const ran = assistant(
    { toolUse: { toolUseId: 't1', name: 'nova_code_interpreter', input: {}, type: 'server_tool_use' } },
    result('t1', { type: 'nova_code_interpreter_result' }),
  );
  const messages = [user({ text: 'x' }), ran, user({ text: 'y' })];
  const tools = [{ systemTool: { name: 'nova_code_interpreter' } }];
  expect(checked({ messages, toolConfig: { tools } }, 'bedrock', '').findings).toEqual([]);
  const { findings, mended } = checked({ messages }, 'bedrock', 'bedrock/tool-config-missing');
  expect(findings).toEqual(['bedrock/tool-config-missing: there is no toolConfig, but a system tool ran']);
  expect(mended).toMatchObject({ messages: [{}, { content: [{ text: expect.any(String) }, {}] }, {}] });
  expect(JSON.stringify(mended)).not.toContain('"toolUse":');
});

it('looks for a toolConfig only where there is a request', () => {
  const reply = { output: { message: assistant(call('t1')) } };
  expect(checked(reply, 'bedrock', 'bedrock/tool-config').findings).toEqual([]);
  expect(
    checked(
      {
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }] },
        ],
      },
      'bedrock',
      'bedrock/tool-config',
      { from: 'openai-chat' },
    ).findings,
  ).toEqual([]);
});

it('sees an error without content in other formats', () => {
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ls', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: '' }] },
  ];
  expect(checked({ messages }, 'bedrock', 'bedrock/error', { from: 'anthropic-messages' }).findings).toEqual([
    'bedrock/error-result-empty: the result (t1) is an error without content',
  ]);
});

it('takes blank texts away, and joins what a message stood between that is gone', () => {
  const messages = [user({ text: 'x' }), assistant({ text: ' \n' }), user({ text: 'y' })];
  expect(checked({ messages }, 'bedrock', 'bedrock/').mended).toEqual({
    messages: [user({ text: 'x' }, { text: 'y' })],
  });
});

it('joins results with what the user says next, where a message between them went', () => {
  const messages = [user({ text: 'x' }), assistant(call('t1')), user(result('t1')), assistant(), user({ text: 'y' })];
  expect(checked({ toolConfig: {}, messages }, 'bedrock', 'bedrock/')).toMatchObject({
    mended: { toolConfig: {}, messages: [messages[0], messages[1], user(result('t1'), { text: 'y' })] },
    left: [],
  });
});

it('renames a tool in calls, definitions and the choice of a tool', () => {
  const request = {
    modelId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    inferenceConfig: { temperature: 2 },
    toolConfig: {
      tools: [{ toolSpec: { name: 'a.b', inputSchema: { json: { type: 'object' } } } }],
      toolChoice: { tool: { name: 'a.b' } },
    },
    messages: [
      { role: 'user', content: [{ text: 'x' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'a.b', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'r' }] } }] },
    ],
  };
  const mended = examine(JSON.stringify(request), 'bedrock', { asRequest: true }).mended();
  expect(mended).not.toContain('a.b');
  expect(mended.match(/a_b/g)).toHaveLength(3);
  expect(mended).toContain('"temperature":1}');
});

it('minds no repeated tools where the tools are a text that is no JSON', () => {
  const text = JSON.stringify([{ conversations: [{ from: 'human', value: 'x' }], tools: 'none' }]);
  expect(examine(text, 'bedrock', { from: 'sharegpt' }).ids).not.toContain('bedrock/tool-duplicate');
});

it('takes away cache points that stand where nothing can be cached', () => {
  const cachePoint = { cachePoint: { type: 'default' } };
  const reasoning = { reasoningContent: { reasoningText: { text: 'h', signature: 's' } } };
  const messages = [
    user(cachePoint, { text: 'x' }),
    assistant(reasoning, cachePoint, call('t1')),
    user(result('t1'), cachePoint, cachePoint),
  ];
  const { findings, mended } = checked({ messages }, 'bedrock', 'bedrock/cache-points');
  expect(findings).toEqual([
    'bedrock/cache-points: there is nothing before the cache point in its message',
    'bedrock/cache-points: the cache point stands right after reasoning',
    'bedrock/cache-points: the cache point stands right after another one',
  ]);
  expect(mended).toEqual({
    messages: [user({ text: 'x' }), assistant(reasoning, call('t1')), user(result('t1'), cachePoint)],
  });
});

it('gives documents names that the API takes', () => {
  const named = (...names: string[]) =>
    user({ text: 'x' }, ...names.map((name) => ({ document: { format: 'pdf', name, source: { bytes: 'AAAA' } } })));
  const messages = [named('a  b', 'y'.repeat(201), '')];
  expect(checked({ messages }, 'bedrock', 'bedrock/document-name')).toMatchObject({
    findings: [
      'bedrock/document-name: the document name has two white-space characters in a row',
      'bedrock/document-name: the document name has 201 characters; at most 200 are allowed',
      'bedrock/document-name: the document name is empty',
    ],
    mended: { messages: [named('a b', 'y'.repeat(200), 'document')] },
    left: [],
  });
});
