/** Seeded random histories that an API takes as they are: calls answered in their place, contents of every kind. */

import type { Block } from './extra-blocks.js';
import { historyOf, type Random, randomFrom, type Turn } from './random-histories.js';
import { uiHistoryOf } from './ui-histories.js';
import { withExtras } from './valid-extras.js';

/** Providers of OpenAI's format with demands of their own, each with a model. */
export const CHAT_MODELS: Readonly<Record<string, string>> = {
  xai: 'grok-4',
  deepseek: 'deepseek-v4-pro',
  groq: 'llama-3.3-70b-versatile',
  moonshot: 'kimi-k2.6',
  zhipu: 'glm-4.6',
};

/** By name: the format, the model of the record, and ids that the provider takes. */
export const SENT: Readonly<Record<string, { readonly format: string; readonly provider: string; model?: string }>> = {
  'openai-chat': { format: 'openai-chat', provider: 'openai-chat' },
  mistral: { format: 'openai-chat', provider: 'mistral', model: 'mistral-large-latest' },
  ...Object.fromEntries(
    Object.entries(CHAT_MODELS).map(([provider, model]) => [provider, { format: 'openai-chat', provider, model }]),
  ),
  gemma: { format: 'openai-chat', provider: 'openai-compatible', model: 'google/gemma-3-27b-it' },
  'openai-responses': { format: 'openai-responses', provider: 'openai-responses' },
  anthropic: { format: 'anthropic-messages', provider: 'anthropic' },
  gemini: { format: 'gemini-contents', provider: 'gemini', model: 'gemini-2.5-pro' },
  bedrock: { format: 'bedrock-converse', provider: 'bedrock' },
  'vercel-model': { format: 'vercel-model', provider: 'openai-chat' },
  'vercel-ui': { format: 'vercel-ui', provider: 'openai-chat' },
};

type Blocks = Readonly<Record<string, (at: number) => readonly Block[]>>;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = 'JVBERi0xLjQKJcOkw7zDtsOfCg==';

/** What a user shows, by format: a picture, and two files that are named alike. */
const SHOWN: Blocks = {
  'openai-chat': (at) => [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    {
      type: 'file',
      file: { filename: ['MK_file.pdf', 'a  b..pdf'][at % 2], file_data: `data:application/pdf;base64,${PDF}` },
    },
  ],
  'openai-responses': (at) => [
    { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
    {
      type: 'input_file',
      filename: ['MK_file.pdf', 'a  b..pdf'][at % 2],
      file_data: `data:application/pdf;base64,${PDF}`,
    },
  ],
  'anthropic-messages': (at) => [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    {
      type: 'document',
      title: ['MK_file.pdf', 'a  b..pdf'][at % 2],
      source: { type: 'base64', media_type: 'application/pdf', data: PDF },
    },
  ],
  'gemini-contents': () => [
    { inlineData: { mimeType: 'image/png', data: PNG } },
    { inlineData: { mimeType: 'application/pdf', data: PDF } },
  ],
  'bedrock-converse': (at) => [
    { image: { format: 'png', source: { bytes: PNG } } },
    { document: { format: 'pdf', name: `file ${at}`, source: { bytes: PDF } } },
  ],
  'vercel-model': (at) => [
    { type: 'file', mediaType: 'image/png', data: PNG },
    { type: 'file', mediaType: 'application/pdf', filename: ['MK_file.pdf', 'a  b..pdf'][at % 2], data: PDF },
  ],
  'vercel-ui': () => [
    { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` },
    { type: 'file', mediaType: 'application/pdf', filename: 'MK_file.pdf', url: `data:application/pdf;base64,${PDF}` },
  ],
};

const TEXTS = ['Go on.', 'actually stop', '日本語 "x"\n!', 'x'.repeat(1200), '{"a":1}', '<b>1</b>'];
const NAMES = ['search', 'read_file', 'run'];
/** Names that only Gemini takes. */
const OWN_NAMES = ['srv.run', 'a:b-c'];

/** A request's body that holds one history. */
export function validHistory(name: string, seed: number): object {
  const { format, model } = SENT[name]!;
  const random = randomFrom(seed);
  const turns = validTurns(random, name);
  const withIds = random(2) === 0;
  const record = (format === 'vercel-ui' ? uiHistoryOf(turns) : historyOf(format, turns, withIds)) as Record<
    string,
    unknown
  >;
  const key = ['messages', 'input', 'contents'].find((one) => one in record)!;
  const list = (record[key] as Block[]).map((message, at) => shown(message, format, at, random));
  return {
    ...record,
    ...(model === undefined ? {} : { model }),
    [key]: adapted(name, withExtras(name, name === 'mistral' ? list.map(withDocuments) : list, random)),
    ...(format === 'bedrock-converse' ? { toolConfig: { tools: NAMES.map(spec) } } : {}),
  };
}

/** What is in every history of the format, but not taken by this provider, as it takes it. */
function adapted(name: string, list: readonly Block[]): readonly Block[] {
  if (!(name in CHAT_MODELS)) return list;
  const takesImages = !['deepseek', 'zhipu'].includes(name);
  return list.map((message) => {
    const { role, content } = message;
    const blocks = Array.isArray(content) ? (content as Block[]) : undefined;
    const kept = blocks?.filter(({ type }) => type !== 'file' && (type !== 'image_url' || takesImages));
    const isText = name === 'deepseek' && role !== 'user' && kept !== undefined;
    const calls = 'tool_calls' in message;
    return {
      ...message,
      content: isText ? kept.map(({ text }) => text).join('\n') : (kept ?? content ?? (calls ? '' : content)),
      ...(calls && ['deepseek', 'moonshot'].includes(name) ? { reasoning_content: 'Hm.' } : {}),
    };
  });
}

/** Mistral has a block of its own for files. */
function withDocuments({ content, ...message }: Block): Block {
  if (!Array.isArray(content)) return { ...message, content };
  const document = { type: 'document_url', document_url: `data:application/pdf;base64,${PDF}` };
  return { ...message, content: (content as Block[]).map((block) => (block['type'] === 'file' ? document : block)) };
}

const spec = (name: string) => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } });

function validTurns(random: Random, name: string): Turn[] {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const said = () => (random(3) === 0 ? [pick(TEXTS), pick(TEXTS)].slice(random(2)) : pick(TEXTS));
  const turns: Turn[] = [];
  let calls = 0;
  const exchanges = 1 + random(5);
  for (let exchange = 0; exchange < exchanges; exchange++) {
    turns.push({ who: 'user', content: said() });
    for (let rounds = random(4); rounds > 0; rounds--) {
      const made = Array.from({ length: 1 + random(3) }, () => ({
        id: idFor(
          name,
          random(6) === 0 && !['anthropic', 'bedrock', 'vercel-ui'].includes(name) ? random(3) + 900 : calls++,
        ),
        name: pick(name === 'gemini' ? [...NAMES, ...OWN_NAMES] : NAMES),
        input: pick([{}, { q: 'x', n: 1 }, { path: 'a.ts' }]),
      })).filter(({ id }, at, all) => all.findIndex((one) => one.id === id) === at);
      turns.push({ who: 'assistant', content: random(2) === 0 ? undefined : said(), calls: made });
      const results = made.map(({ id, name: tool }) => ({ id, name: tool, content: said() }));
      const says = exchange > 0 && takesTextBesideResults(name) && random(6) === 0 ? said() : undefined;
      turns.push({ who: 'tool', results, says });
    }
    if (exchange < exchanges - 1 || random(3) > 0) turns.push({ who: 'assistant', content: said(), calls: [] });
  }
  return turns;
}

function takesTextBesideResults(name: string): boolean {
  return name === 'anthropic';
}

const idFor = (name: string, number: number) =>
  name === 'mistral'
    ? `call${String(number).padStart(5, '0')}`
    : name === 'bedrock' || name === 'anthropic'
      ? `tool_${number}`
      : `call.${number}:ö`;

/** The message with what the user shows beside a text, here and there. */
function shown(message: Block, format: string, at: number, random: Random): Block {
  const key = 'parts' in message ? 'parts' : 'content';
  const content = message[key];
  const blocks = SHOWN[format]!(at);
  const plain =
    message['role'] === 'user' &&
    !JSON.stringify(content).includes('esult') &&
    !JSON.stringify(content).includes('functionResponse');
  if (!plain || random(4) > 0) return message;
  const list = typeof content === 'string' ? [textBlock(format, content)] : (content as Block[]);
  return { ...message, [key]: [...list, ...blocks.slice(0, 1 + random(2))] };
}

function textBlock(format: string, text: string): Block {
  if (format === 'bedrock-converse' || format === 'gemini-contents') return { text };
  return { type: format === 'openai-responses' ? 'input_text' : 'text', text };
}
