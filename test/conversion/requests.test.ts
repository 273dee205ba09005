/** What stands beside the messages of a request, in its other spellings; media that only some providers open. */
import { describe, expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { openText } from '../shared/opened.js';

function converted(record: object, to: string) {
  const { detection, pieces } = openText(JSON.stringify(record));
  const { record: json, findings } = convert(
    pieces[0]!.transcripts[0]!,
    detection.format,
    targetNamed(to),
    pieces[0]!.record,
  );
  return {
    value: JSON.parse(json.json) as Readonly<Record<string, unknown>>,
    text: json.json,
    losses: findings.filter(({ loss }) => loss).map(({ what }) => what),
    notes: findings.map(({ what }) => what).join('\n'),
  };
}

const asked = [{ role: 'user', content: 'Hi' }];

describe('parameters', () => {
  it.each(['openai', 'azure', 'groq', 'openrouter'])('have one limit of tokens within chats for %s', (to) => {
    // "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
    const { value } = converted({ model: 'gpt-4o', max_tokens: 1024, messages: asked }, to);
    expect(Object.keys(value).filter((key) => key.startsWith('max_'))).toEqual(['max_tokens']);
  });

  it('keep an older spelling of Anthropic alone', () => {
    const output_format = { type: 'json_schema', schema: { type: 'object' } };
    const record = { model: 'claude-sonnet-4-5', max_tokens: 9, output_format, messages: asked };
    expect(converted(record, 'anthropic').value).toEqual(record);
  });

  it.each([
    [{ type: 'json_object' }, { responseMimeType: 'application/json' }],
    [
      { type: 'json_schema', json_schema: { name: 'r', schema: { type: 'object' } } },
      { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
    ],
  ])('ask Gemini for JSON with its media type, and read that again: %j', (response_format, expected) => {
    const gemini = converted({ model: 'gemini-2.5-pro', messages: asked, response_format }, 'gemini').value;
    expect(gemini['generationConfig']).toEqual(expected);
    const again = converted({ ...gemini, model: 'gemini-2.5-pro' }, 'openai');
    expect((again.value['response_format'] as { type: string }).type).toBe(response_format.type);
    expect(again.notes).not.toContain('generationConfig');
  });

  it('name a stop sequence that Anthropic refuses, and keep the others', () => {
    const { value, notes } = converted({ model: 'gpt-4o', messages: asked, stop: ['\n', 'END', ' '] }, 'anthropic');
    expect(value['stop_sequences']).toEqual(['END']);
    expect(notes).toContain('`stop`');
    expect(converted({ model: 'gpt-4o', messages: asked, stop: ['\n'] }, 'gemini').text).toContain('"\\n"');
  });

  const contents = [{ role: 'user', parts: [{ text: 'weather?' }] }];
  const snake = {
    ...{ temperature: 0.2, top_p: 0.5, stop_sequences: ['END'], max_output_tokens: 200, seed: 7 },
    response_mime_type: 'application/json',
    tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['w'] } },
    tools: [{ function_declarations: [{ name: 'w', description: 'W' }] }],
  };
  const camel = { temperature: 0.2, topP: 0.5, stopSequences: ['END'], maxOutputTokens: 200, seed: 7 };
  it.each([
    ['config of the SDK, in Python', { config: snake }, true],
    ['config of the SDK, in JavaScript', { config: camel }, false],
    ['generation_config', { generation_config: camel }, false],
  ])('of Gemini are read from %s', (_, settings, isJson) => {
    const { value, notes } = converted({ model: 'gemini-2.5-flash', contents, ...settings }, 'openai');
    expect(value).toMatchObject({ temperature: 0.2, top_p: 0.5, stop: ['END'], max_completion_tokens: 200, seed: 7 });
    expect(value['response_format']).toEqual(isJson ? { type: 'json_object' } : undefined);
    expect(value['tool_choice']).toEqual(isJson ? { type: 'function', function: { name: 'w' } } : undefined);
    expect(notes).not.toContain('beside the messages');
  });

  it('of Gemini that have no place are named one by one', () => {
    const config = { ...snake, thinking_config: { thinking_budget: 100 }, response_schema: { type: 'OBJECT' } };
    const { notes } = converted({ model: 'gemini-2.5-flash', contents, config }, 'openai');
    expect(notes).toContain('`config.thinking_config`, `config.response_schema`');
    expect(converted({ model: 'gemini-2.5-flash', contents, config }, 'gemini').value['generationConfig']).toEqual({
      ...camel,
      responseMimeType: 'application/json',
    });
  });
});

describe('media', () => {
  const JPEG = '/9j/4AAQSkZJRgABAQ==';
  it.each([
    ['openai', `data:image/jpeg;base64,${JPEG}`],
    ['openai-responses', `data:image/jpeg;base64,${JPEG}`],
    ['gemini', '"mimeType":"image/jpeg"'],
    ['bedrock', '"format":"jpeg"'],
  ])('has the type of its bytes for %s where none is said', (to, expected) => {
    const content = [
      { type: 'text', text: 'see' },
      { type: 'image', image: JPEG },
    ];
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 't', input: {} };
    const output = { type: 'text', value: 'r' };
    const messages = [
      { role: 'user', content },
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 't', output }] },
    ];
    const { text, losses } = converted({ messages }, to);
    expect(text).toContain(expected);
    expect(losses).toEqual([]);
  });

  it('of Bedrock has the types that files have', () => {
    const file = (kind: string, format: string) => ({ [kind]: { format, name: 'n', source: { bytes: 'YQ==' } } });
    const files = [file('document', 'csv'), file('document', 'docx'), file('document', 'md'), file('video', 'mp4')];
    const messages = [{ role: 'user', content: [{ text: 'read' }, ...files] }];
    const { text } = converted({ modelId: 'amazon.nova-pro-v1:0', messages, inferenceConfig: {} }, 'gemini');
    expect([...text.matchAll(/"mimeType":"([^"]+)"/g)].map(([, type]) => type)).toEqual([
      'text/csv',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'text/markdown',
      'video/mp4',
    ]);
  });

  const stored = [
    { fileData: { fileUri: 'gs://bucket/x.png', mimeType: 'image/png' } },
    { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a', mimeType: 'image/png' } },
  ];
  const google = (parts: readonly object[]) => ({
    model: 'gemini-2.5-pro',
    contents: [{ role: 'user', parts: [{ text: 'look' }, ...parts] }],
  });
  it.each(['anthropic', 'openai', 'openai-responses'])('that Google alone opens is lost for %s, and named', (to) => {
    const { text, losses } = converted(google(stored), to);
    expect(losses).toEqual(['an image that only its provider has']); // said once for each message
    expect(text).not.toMatch(/gs:|generativelanguage/);
    const open = { fileData: { fileUri: 'https://example.com/x.png', mimeType: 'image/png' } };
    expect(converted(google([open]), to).text).toContain('https://example.com/x.png');
    expect(converted(google(stored), 'gemini').losses).toEqual([]);
  });

  it.each(['openai-responses', 'gemini', 'anthropic', 'bedrock', 'vercel-model'])(
    'of the system prompt stands in a message of the user for %s',
    (to) => {
      const picture = { type: 'input_image', detail: 'auto', image_url: `data:image/jpeg;base64,${JPEG}` };
      const input = [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'see logo' }, picture] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      ];
      const { text, notes, losses } = converted({ model: 'gpt-5', input }, to);
      expect(text).toContain(JPEG);
      expect(notes).toContain('it stands in a message of the user');
      expect(losses).toEqual([]);
    },
  );
});
