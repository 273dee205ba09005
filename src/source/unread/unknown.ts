/**
 * Parts that a format keeps as they are although it does not know their shape. Those that an API or an agent documents,
 * such as tools that the provider ran, are known by name; what is left was written by something else.
 */
import { JsonNode } from '../../json/node.js';
import type { JsonSource } from '../../json/strings.js';
import { addAll, commaList, firstFrom, listIn } from '../../lists.js';
import type { Message, OpaquePart, Part } from '../../transcript/types.js';
import { signsIn } from './search.js';
import type { Sign } from './signs.js';

/**
 * Types of blocks and items: of Anthropic, OpenAI Responses and Chat, Codex, opencode, Bedrock, LangChain, the AI SDK,
 * Microsoft's, LLaMA-Factory and MCP; as their references and our recordings have them, 2026-11.
 */
const KNOWN_TYPE = new RegExp(
  [
    '(?:server|mcp|computer)_tool_(?:use|call|call_response|result)$|_tool_result(?:_error)?$|[a-z]_execution_output$',
    '^(?:web_search|file_search|computer|computer_use|code_interpreter|image_generation|mcp|local_shell|shell)_call$',
    '^(?:apply_patch|tool_search|hosted_tool)_call$|^(?:tool_search|program|shell_call|local_shell_call)_output$',
    '^(?:mcp_(?:list_tools|approval_(?:request|response))|program|additional_tools|agent_message|item_reference)$',
    '^(?:tool_(?:reference|addition|removal)|container_upload|search_result|reference|fallback|refusal|media|json)$',
    '^(?:image|audio|video|file|document)(?:[_-]url)?$|^input_?(?:audio|image|file)$|^(?:resource|resource_link)$',
    '^(?:executable_code|code_execution|code_execution_result|text-plain|source|unknown|custom|non_standard)$',
    'compaction|ghost_snapshot|reasoning|thinking|^(?:subtask|agent|patch|snapshot|retry)$',
    '^(?:data|source|step|dynamic)-|^(?:guard_?content|cache_?point)$',
  ].join('|'),
  'i',
);
/** The same for the words that are calls and results where the format reads them: only these formats leave them. */
const TRAFFIC: readonly (readonly [formats: RegExp, types: RegExp])[] = [
  [/^(?:vercel|mastra|langfuse|langsmith|otlp|openinference|promptfoo)/, /^(?:tool-.*|dynamic-tool)$/],
  [
    /^gemini-interactions$/,
    /^(?:google_search|google_maps|code_execution|url_context|file_search|retrieval|processing)_/,
  ],
  [/^inspect$/, /^(?:tool_use|data)$/], // tools of the provider, and what it said beside
];
/** Blocks without a type, by a member: of Gemini and of Bedrock. */
const KNOWN_MEMBERS = commaList(`
  executableCode, executable_code, codeExecutionResult, code_execution_result, thoughtSignature, thought_signature,
  toolCall, toolResponse, partMetadata, part_metadata, mediaResolution, media_resolution,
  thought, videoMetadata, video_metadata, toolUse, toolResult, reasoningContent, cachePoint, guardContent,
  citationsContent, searchResult, json, content_type
`);
/** What steps of ATIF observe without a call. */
const OBSERVED = ['content', 'source_call_id', 'subagent_trajectory_ref'];

/** What the parts of unknown shape look like: what is no call and no result is a text. */
export function unknownSigns(parts: readonly OpaquePart[], format: string): readonly Sign[] {
  const found: Sign[] = [];
  for (const part of parts) {
    const node = unknownIn(part, format);
    if (node === undefined) continue;
    const signs = signsIn(node, []);
    addAll(found, signs.length > 0 ? signs : [{ kind: 'text', node }]);
  }
  return found;
}

/** Those in each of the roots; the first also has those of lists that a format made of the roots. */
export function signsByRoot(signs: readonly Sign[], roots: readonly JsonNode[]): readonly (readonly Sign[])[] {
  const indexes = new Map<JsonSource, number[]>();
  for (const [index, { source }] of roots.entries()) listIn(indexes, source).push(index);
  const places = new Map([...indexes].map(([source, own]) => [source, own.map((index) => roots[index]!.at)] as const));
  const found: Sign[][] = roots.map(() => []);
  for (const sign of signs) {
    const { source, at } = sign.node;
    const nearest = firstFrom(places.get(source) ?? [], at + 1) - 1; // roots stand in order
    found[indexes.get(source)?.[nearest] ?? 0]!.push(sign);
  }
  return found;
}

/** The value of a part whose shape nobody documents; undefined for all others. `format`: the id of what read it. */
function unknownIn(part: Part, format: string): JsonNode | undefined {
  if (part.type !== 'opaque' || !(part.raw instanceof JsonNode)) return undefined;
  const { raw, text } = part;
  if (text !== undefined && text !== raw) return undefined; // it was found
  if (!raw.isObject || raw.members().length === 0) return undefined;
  const type = raw.get('type')?.string;
  if (type === undefined) return isKnownWithoutType(raw, format) ? undefined : raw;
  const isOwn = TRAFFIC.some(([formats, types]) => formats.test(format) && types.test(type));
  return isOwn || KNOWN_TYPE.test(type) ? undefined : raw;
}

function isKnownWithoutType(raw: JsonNode, format: string): boolean {
  const has = (key: string) => raw.get(key) !== undefined;
  return KNOWN_MEMBERS.some(has) || (format === 'atif' && OBSERVED.some(has));
}

/** Whether a message has parts, and no shape of them is known. */
export function isUnknown({ parts }: Message, format: string): boolean {
  const all = parts.flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part]));
  return all.length > 0 && all.every((part) => unknownIn(part, format) !== undefined);
}
