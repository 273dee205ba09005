/** How `convert` writes a transcript for Bedrock's Converse API. */
import { type Encode, LONGEST_NAME, NOT_IN_NAMES } from '../encode.js';
import { FILE_TYPES } from '../shared/file-types.js';
import type { ParameterTable } from '../shared/parameters.js';
import { table } from '../shared/table.js';
import { listOf, mode, oneOf } from '../shared/tool-choice.js';

/**
 * File formats that the API accepts, by media type.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html
 */
const FORMATS = table<string>({
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  ...Object.fromEntries(
    Object.entries(FILE_TYPES).flatMap(([format, type]) => (/^video/.test(type) ? [] : [[type, format]])),
  ),
});

/**
 * As of January 2026:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html
 */
const PARAMETERS: ParameterTable = {
  paths: {
    maxTokens: ['inferenceConfig.maxTokens'],
    temperature: ['inferenceConfig.temperature'],
    topP: ['inferenceConfig.topP'],
    stop: ['inferenceConfig.stopSequences'],
    toolChoice: ['toolConfig.toolChoice'],
  },
  own: [
    ...['inferenceConfig', 'additionalModelRequestFields', 'additionalModelResponseFieldPaths', 'guardrailConfig'],
    ...['performanceConfig', 'promptVariables', 'requestMetadata', 'serviceTier'],
  ],
  maxTemperature: 1,
  toolChoice: mode(
    (node) => node.members()[0]?.key.text,
    (node) => listOf(node.get('tool')?.get('name')?.string),
    (word, tools) => (word === undefined ? oneOf(tools, (name) => ({ tool: { name } })) : { [word]: {} }),
    { auto: 'auto', required: 'any' },
  ),
};

export const encode: Encode = {
  messages: 'messages',
  mediaFrom: ['user', 'tool'],
  model: 'modelId',
  parameters: PARAMETERS,
  system: { key: 'system', write: (text) => [{ text }], cannotBeMessage: true },
  tools: (definitions, entries) => ({
    toolConfig: {
      tools: [
        ...definitions.map(({ name, description, parameters }) => ({
          toolSpec: { name, description, inputSchema: { json: parameters } },
        })),
        ...entries,
      ],
    },
  }),
  isOwnTool: (entry) => ['toolSpec', 'systemTool', 'cachePoint'].some((key) => entry.get(key)?.isObject),
  media: ({ kind, type, base64, name, context, citations }) => {
    const format = type === undefined ? undefined : FORMATS[type];
    if (base64 === undefined || format === undefined) return undefined;
    if (kind === 'image') return { image: { format, source: { bytes: base64 } } };
    return kind === 'file'
      ? { document: { format, name: documentName(name ?? 'file'), source: { bytes: base64 }, context, citations } }
      : undefined;
  },
  signedThinking: (proof) => ({
    reasoningContent:
      'redacted' in proof
        ? { redactedContent: proof.redacted }
        : { reasoningText: { text: proof.text, signature: proof.signature } },
  }),
  textDocument: ({ kind, title, source, texts, context, citations }) => {
    const content = texts.map((text) => ({ text }));
    if (kind === 'search result')
      return {
        searchResult: {
          source: source ?? '',
          title: title ?? '',
          content,
          citations: citations ?? { enabled: false },
        },
      };
    const name = documentName(title ?? 'document');
    if (name !== (title ?? 'document') || context !== undefined) return undefined;
    return {
      document: { format: 'txt', name, source: texts.length === 1 ? { text: texts[0]! } : { content }, citations },
    };
  },
  objectArgumentsOnly: true,
  notInNames: NOT_IN_NAMES,
  longestName: LONGEST_NAME,
  notInIds: NOT_IN_NAMES, // Claude takes no others, and which model it will be is seldom known
};

/**
 * A name that the API takes: letters, digits, single spaces, hyphens, parentheses and brackets.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
function documentName(name: string): string {
  const allowed = name.replace(/[^a-zA-Z0-9\s()[\]-]+/g, '-').replace(/\s+/g, ' ');
  return allowed.slice(0, 200);
}
