/**
 * What APIs take beside texts, calls and results: reasoning with its proof, tools that the provider runs, marks of
 * caches, errors, empty results, instructions in the middle, outputs that come late.
 */
import {
  type Block,
  blocksOf,
  by,
  type Extra,
  each,
  instructed,
  keyed,
  led,
  marked,
  some,
  typed,
  within,
} from './extra-blocks.js';
import type { Random } from './random-histories.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PROOF = 'EqQBCkYIBxgCKkDNsF+x8g==';

/** The output of a call behind the words that the user says next. */
const late: Extra = (list, random) => {
  const at = list.findIndex(
    ({ type }, index) =>
      type === 'function_call_output' && list[index + 1]?.['role'] === 'user' && list[index + 2] !== undefined,
  );
  if (at < 0 || random(3) > 0) return list;
  return [...list.slice(0, at), list[at + 1]!, list[at]!, ...list.slice(at + 2)];
};

const CHAT: readonly Extra[] = [
  some(
    4,
    by('tool', (message) => ({ ...message, content: '' })),
  ),
  some(3, (message) =>
    'tool_calls' in message
      ? { ...message, content: [null, ''][blocksOf(message, 'tool_calls').length % 2] }
      : undefined,
  ),
];

const EXTRAS: Readonly<Record<string, readonly Extra[]>> = {
  'openai-chat': [
    ...CHAT,
    instructed('developer'),
    instructed('system'),
    some(
      6,
      by('user', (message) => ({ ...message, name: 'Ana' })),
    ),
    some(6, (message) =>
      message['role'] === 'assistant' && !('tool_calls' in message)
        ? { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }
        : undefined,
    ),
  ],
  mistral: [
    ...CHAT,
    some(
      4,
      led('assistant', 'content', () => [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]),
    ),
  ],
  gemma: CHAT,
  xai: CHAT,
  deepseek: CHAT,
  groq: CHAT,
  moonshot: CHAT,
  zhipu: CHAT,
  'openai-responses': [
    late,
    instructed('developer'),
    some(4, (item, at) =>
      item['type'] === 'function_call' || item['role'] === 'assistant'
        ? [
            {
              type: 'reasoning',
              id: `rs_${at}`,
              summary: [{ type: 'summary_text', text: 'Hm.' }],
              encrypted_content: PROOF,
            },
            item,
          ]
        : undefined,
    ),
    some(
      6,
      by('assistant', (item, at) => [
        { type: 'web_search_call', id: `ws_${at}`, status: 'completed', action: { type: 'search', query: 'x' } },
        item,
      ]),
    ),
    some(
      6,
      by('assistant', (item, at) => [
        item,
        { type: 'custom_tool_call', call_id: `custom_${at}`, name: 'apply_patch', input: 'x\ny' },
        { type: 'custom_tool_call_output', call_id: `custom_${at}`, output: 'done' },
      ]),
    ),
  ],
  anthropic: [
    some(
      3,
      led('assistant', 'content', (at) => [
        at % 3 === 0
          ? { type: 'redacted_thinking', data: PROOF }
          : { type: 'thinking', thinking: at % 2 === 0 ? 'Hm.' : '', signature: PROOF },
      ]),
    ),
    some(
      6,
      by('assistant', (message, at) => {
        const blocks = blocksOf(message, 'content');
        const text = blocks.findIndex(typed('text'));
        return text < 0
          ? undefined
          : { ...message, content: [...blocks.slice(0, text), ...searched(at), ...blocks.slice(text)] };
      }),
    ),
    some(
      4,
      each('content', typed('tool_result'), (block) => ({ ...block, is_error: true })),
    ),
    some(
      6,
      each('content', typed('tool_result'), ({ content: _, ...block }) => block),
    ),
    some(
      6,
      each('content', typed('tool_result'), ({ is_error: _, ...block }) => ({
        ...block,
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
      })),
    ),
    marked(4, 'content', (blocks) => [
      ...blocks.slice(0, -1),
      { ...blocks.at(-1), cache_control: { type: 'ephemeral' } },
    ]),
  ],
  gemini: [
    some(
      2,
      by('model', (message) =>
        each('parts', keyed('functionCall'), (part) => ({ ...part, thoughtSignature: PROOF }))(message),
      ),
    ),
    some(
      4,
      led('model', 'parts', () => [{ text: 'Hm.', thought: true }]),
    ),
    some(
      6,
      led('model', 'parts', () => [
        { executableCode: { language: 'PYTHON', code: 'print(1)' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      ]),
    ),
    some(
      4,
      each(
        'parts',
        keyed('functionResponse'),
        within('functionResponse', () => ({ response: { error: 'no' } })),
      ),
    ),
  ],
  bedrock: [
    some(
      3,
      led('assistant', 'content', (at) => [
        {
          reasoningContent:
            at % 3 === 0 ? { redactedContent: PROOF } : { reasoningText: { text: 'Hm.', signature: PROOF } },
        },
      ]),
    ),
    some(
      4,
      each(
        'content',
        keyed('toolResult'),
        within('toolResult', () => ({ status: 'error' })),
      ),
    ),
    some(
      6,
      each(
        'content',
        keyed('toolResult'),
        within('toolResult', () => ({
          content: [{ json: { n: 1 } }, { image: { format: 'png', source: { bytes: PNG } } }],
        })),
      ),
    ),
    marked(4, 'content', (blocks) => [...blocks, { cachePoint: { type: 'default' } }]),
  ],
  'vercel-model': [
    instructed('system'),
    some(
      4,
      led('assistant', 'content', () => [
        { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: PROOF } } },
      ]),
    ),
    some(
      4,
      each('content', typed('tool-result'), (part) => ({ ...part, output: { type: 'error-text', value: 'no' } })),
    ),
    some(
      6,
      each('content', typed('tool-result'), (part) => ({ ...part, output: { type: 'json', value: { n: null } } })),
    ),
    some(
      6,
      each('content', typed('tool-result'), (part) => ({
        ...part,
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'a' },
            { type: 'media', data: PNG, mediaType: 'image/png' },
          ],
        },
      })),
    ),
    some(
      6,
      led('assistant', 'content', (at) => {
        const called = { toolCallId: `srv_${at}`, toolName: 'web_search' };
        return [
          { type: 'tool-call', ...called, input: { query: 'x' }, providerExecuted: true },
          { type: 'tool-result', ...called, output: { type: 'json', value: [] } },
        ];
      }),
    ),
  ],
  'vercel-ui': [
    some(
      3,
      led('assistant', 'parts', () => [{ type: 'reasoning', text: 'Hm.', state: 'done' }]),
    ),
    some(
      4,
      each('parts', keyed('output'), ({ output: _, ...part }) => ({ ...part, state: 'output-error', errorText: 'no' })),
    ),
    some(
      6,
      each('parts', keyed('output'), ({ type, ...part }) => ({
        ...part,
        type: 'dynamic-tool',
        toolName: (type as string).slice('tool-'.length),
      })),
    ),
    some(
      6,
      led('assistant', 'parts', (at) => [
        {
          type: 'tool-web_search',
          toolCallId: `srv_${at}`,
          state: 'output-available',
          input: { query: 'x' },
          output: [],
          providerExecuted: true,
        },
        { type: 'source-url', sourceId: `source${at}`, url: 'https://example.com' },
      ]),
    ),
    some(
      6,
      by('assistant', (message) => ({
        ...message,
        parts: [...blocksOf(message, 'parts'), { type: 'data-weather', data: { n: 1 } }],
      })),
    ),
  ],
};

/** A search that Anthropic ran. */
function searched(at: number): readonly Block[] {
  const id = `srvtoolu_${at}`;
  const found = { type: 'web_search_result', url: 'https://example.com', title: 'x', encrypted_content: PROOF };
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: id, content: [found] },
  ];
}

/** The messages of a valid history with what else the provider takes. */
export function withExtras(name: string, list: readonly Block[], random: Random): readonly Block[] {
  return (EXTRAS[name] ?? []).reduce((now, extra) => (random(2) === 0 ? now : extra(now, random)), list);
}
