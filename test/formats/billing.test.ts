/** What recordings state about tier, region and tools, in each provider's shape. */
import { describe, expect, it } from 'vitest';
import { openText } from '../shared/opened.js';

/** What is recorded of the last reply of a transcript. */
function billingIn(text: string) {
  const [transcript] = openText(text).transcripts;
  const reply = transcript!.messages.findLast(({ role }) => role === 'assistant');
  return (transcript!.reply ?? transcript!.recorded?.(reply!))?.billing;
}

const claudeCode = (usage: object) =>
  billingIn(
    [
      { type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content: 'a' } },
      {
        type: 'assistant',
        uuid: 'v',
        sessionId: 's',
        requestId: 'r',
        message: {
          id: 'm',
          role: 'assistant',
          model: 'claude-opus-4-6',
          content: [{ type: 'text', text: 'b' }],
          usage: { input_tokens: 1, output_tokens: 1, ...usage },
        },
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );

describe('Anthropic', () => {
  it.each([
    { service_tier: 'standard' },
    { service_tier: null, inference_geo: '', speed: 'standard' },
    { inference_geo: 'global', server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 } },
    { inference_geo: 'not_available' },
  ])('states nothing that changes the price in %j', (usage) => {
    expect(claudeCode(usage)).toBeUndefined();
  });

  it('states its tier, with fast mode over the service tier', () => {
    expect(claudeCode({ service_tier: 'batch' })).toEqual({ tier: 'batch' });
    expect(claudeCode({ service_tier: 'priority' })).toEqual({ tier: 'priority' });
    expect(claudeCode({ service_tier: 'standard', speed: 'fast' })).toEqual({ tier: 'fast' });
  });

  it('states the region', () => {
    expect(claudeCode({ inference_geo: 'us' })).toEqual({ region: 'us' });
  });

  it('counts uses of server tools', () => {
    expect(claudeCode({ server_tool_use: { web_search_requests: 10, web_fetch_requests: 0 } })).toEqual({
      toolUses: { web_search: 10 },
    });
  });
});

const responses = (fields: object, output: object[] = []) =>
  billingIn(
    JSON.stringify({
      object: 'response',
      model: 'gpt-5',
      input: 'a',
      output: [...output, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] }],
      usage: { input_tokens: 1, output_tokens: 1 },
      ...fields,
    }),
  );

describe('OpenAI Responses', () => {
  it.each(['default', 'auto', 'scale', null])('has the standard price under %j', (service_tier) => {
    expect(responses({ service_tier })).toBeUndefined();
  });

  it.each(['flex', 'priority', 'batch'])('states the tier %s', (service_tier) => {
    expect(responses({ service_tier })).toEqual({ tier: service_tier });
  });

  it('counts built-in tools: searches but not pages opened, and containers of the code interpreter', () => {
    const search = (type: string) => ({ type: 'web_search_call', id: type, action: { type } });
    const code = (id: string) => ({ type: 'code_interpreter_call', id, container_id: 'c', code: '', outputs: [] });
    expect(
      responses({}, [
        search('search'),
        search('open_page'),
        code('x'),
        code('y'),
        { type: 'file_search_call', id: 'f', queries: [] },
      ]),
    ).toEqual({ toolUses: { web_search: 1, code_execution: 1, file_search: 1 } });
  });
});

const chat = (response: object, message: object = {}) =>
  billingIn(
    JSON.stringify({
      request: { model: 'gpt-5', messages: [{ role: 'user', content: 'a' }] },
      response: {
        id: 'c',
        choices: [{ message: { role: 'assistant', content: 'b', ...message } }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
        ...response,
      },
    }),
  );

describe('OpenAI Chat', () => {
  it('states the tier, in any spelling of the standard one nothing', () => {
    expect(chat({ service_tier: 'default' })).toBeUndefined();
    expect(chat({ service_tier: 'on_demand' })).toBeUndefined();
    expect(chat({ service_tier: 'flex' })).toEqual({ tier: 'flex' });
  });

  it('searched the web once if the reply cites pages', () => {
    const annotations = [{ type: 'url_citation', url_citation: { url: 'https://example.com' } }];
    expect(chat({}, { annotations })).toEqual({ toolUses: { web_search: 1 } });
    expect(chat({}, { annotations: [] })).toBeUndefined();
  });
});

const gemini = (usageMetadata: object, model: string, webSearchQueries: string[] = []) =>
  billingIn(
    JSON.stringify({
      request: { contents: [{ role: 'user', parts: [{ text: 'a' }] }] },
      response: {
        candidates: [{ content: { role: 'model', parts: [{ text: 'b' }] }, groundingMetadata: { webSearchQueries } }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, ...usageMetadata },
        modelVersion: model,
      },
    }),
  );

describe('Gemini', () => {
  it('states the tier, in the spelling of the Gemini API or of Vertex AI', () => {
    expect(gemini({ serviceTier: 'standard', trafficType: 'ON_DEMAND' }, 'gemini-3-flash')).toBeUndefined();
    expect(gemini({ serviceTier: 'flex' }, 'gemini-3-flash')).toEqual({ tier: 'flex' });
    expect(gemini({ trafficType: 'ON_DEMAND_PRIORITY' }, 'gemini-3-flash')).toEqual({ tier: 'priority' });
  });

  it('charges each search since Gemini 3, before each prompt with searches', () => {
    expect(gemini({}, 'gemini-3-flash', ['x', 'y'])).toEqual({ toolUses: { web_search: 2 } });
    expect(gemini({}, 'gemini-2.5-pro', ['x', 'y'])).toEqual({ toolUses: { web_search: 1 } });
  });
});

describe('Bedrock', () => {
  it('states the tier', () => {
    const record = (type: string) =>
      billingIn(
        JSON.stringify({
          modelId: 'amazon.nova-pro-v1:0',
          messages: [{ role: 'user', content: [{ text: 'a' }] }],
          response: {
            output: { message: { role: 'assistant', content: [{ text: 'b' }] } },
            usage: { inputTokens: 1, outputTokens: 1 },
            serviceTier: { type },
          },
        }),
      );
    expect(record('flex')).toEqual({ tier: 'flex' });
    expect(record('default')).toBeUndefined();
  });
});

describe('Codex', () => {
  it('states the tier of the requests that follow', () => {
    const settings = (service_tier: string) => ({
      timestamp: '2026-01-05T12:00:00Z',
      type: 'event_msg',
      payload: { type: 'thread_settings_applied', thread_settings: { model: 'gpt-5', service_tier } },
    });
    const item = { type: 'response_item', payload: { type: 'message', role: 'user', content: 'a' } };
    const [transcript] = openText(
      [settings('priority'), item, settings('default')].map((line) => JSON.stringify(line)).join('\n'),
    ).transcripts;
    const tiers = transcript!.messages.map((message) => transcript!.recorded?.(message)?.billing);
    expect(tiers).toEqual([{ tier: 'priority' }, undefined, {}]);
  });
});
