/** What stands beside the messages of a request: the model and parameters, as far as the target has them. */
import type { Encode } from '../formats/encode.js';
import type { Format } from '../formats/format.js';
import { mapParameters } from '../formats/shared/parameters.js';
import type { Json, JsonFields } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { serves } from '../rules/providers.js';
import type { Transcript } from '../transcript/types.js';
import type { Notes } from './findings.js';
import type { Target } from './targets.js';

/** Names of the output token limit: OpenAI, Anthropic, Bedrock, Gemini. */
const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxTokens', 'maxOutputTokens'];
/** The members of a record that may have them. */
const SETTINGS = ['request', 'body', 'inferenceConfig', 'generationConfig', 'config'];
/** The members of a record that may be the request. */
const REQUESTS = ['request', 'body', 'responses_create_params', 'params'];

/** The model's name; noted where the target's provider has no such model. */
export function modelField({ model }: Transcript, target: Target, notes: Notes): JsonFields {
  if (model === undefined) return {};
  const { encode, provider } = target;
  if (encode.model === undefined) {
    notes.note('the name of the model');
    return {};
  }
  if (provider !== undefined && !serves(provider, model))
    notes.note(
      `the model \`${model}\`, which ${provider.title} does not have: it is kept, set another before you send it`,
    );
  return { [encode.model]: model };
}

/** Parameters in the target's spelling, with its own for the same format. `beside`: the other fields. */
export function parameterFields(
  record: JsonNode | undefined,
  source: Format,
  target: Target,
  beside: JsonFields,
  notes: Notes,
): JsonFields {
  const request = record === undefined ? undefined : requestIn(record);
  const from = source.encode?.parameters;
  const to = target.encode.parameters;
  const isSame = source.id === target.id;
  const mapped = request === undefined || from === undefined ? undefined : mapParameters(request, from, to);
  const own = isSame && request !== undefined ? ownMembers(request, to?.own ?? []) : {};
  const hasTools = Object.keys(beside).some((key) => key === 'tools' || key === 'toolConfig');
  const { toolChoice, parallelCalls } = to?.paths ?? {};
  const needTools = [...(toolChoice ?? []), ...(parallelCalls ?? [])];
  const isOwn = (path: string) => Object.hasOwn(own, path.split('.')[0]!);
  const entries = (mapped?.fields ?? []).filter(({ path, from }) => !isOwn(path) && !isOwn(from));
  const kept = entries.filter(({ path }) => hasTools || !needTools.includes(path));
  const dropped = entries.length > kept.length ? ['the choice of a tool: there is none'] : [];
  const covered = new Set([...(mapped?.read ?? []), ...Object.keys(own)]);
  const lost = (mapped?.lost ?? []).filter((path) => !isOwn(path));
  const holders = new Set([record, request].filter((node) => node !== undefined));
  const others = [...holders].flatMap((holder) => otherFieldsOf(holder, source, target.encode, covered));
  const names = [...lost.map((path) => `\`${path}\``), ...dropped, ...others];
  if (names.length > 0) notes.note(`what stands beside the messages: ${names.join(', ')}`);
  const fields = kept.reduce<JsonFields>((all, { path, value }) => withMember(all, path.split('.'), value), {
    ...beside,
    ...own,
  });
  return { ...fields, ...maxTokensField(record, target.encode, fields) };
}

function requestIn(record: JsonNode): JsonNode {
  return REQUESTS.map((key) => record.get(key)).find((node) => node?.isObject) ?? record;
}

function ownMembers(request: JsonNode, keys: readonly string[]): JsonFields {
  const set = keys.flatMap((key) => {
    const value = request.get(key);
    return value === undefined || value.isNull ? [] : [[key, value] as const];
  });
  return Object.fromEntries(set);
}

function withMember(fields: JsonFields, [key, ...rest]: readonly string[], value: Json): JsonFields {
  const inner = fields[key!];
  const held = inner instanceof JsonNode || typeof inner !== 'object' || inner === null ? {} : (inner as JsonFields);
  return { ...fields, [key!]: rest.length === 0 ? value : withMember(held, rest, value) };
}

function maxTokensField(record: JsonNode | undefined, { maxTokens }: Encode, fields: JsonFields): JsonFields {
  if (maxTokens === undefined || fields[maxTokens.key] !== undefined) return {};
  const holders = [record, ...SETTINGS.map((key) => record?.get(key))];
  const limits = holders.flatMap((node) => LIMITS.map((key) => node?.get(key)?.number));
  return { [maxTokens.key]: limits.find((limit) => limit !== undefined && limit > 0) ?? maxTokens.default };
}

/** The members of a record that neither the transcript nor the parameters cover. */
function otherFieldsOf(
  record: JsonNode,
  { encode, messagePaths, envelope }: Format,
  { maxTokens }: Encode,
  covered: ReadonlySet<string>,
): string[] {
  const known = new Set([
    'messages',
    'model',
    'tools',
    'functions', // the deprecated list of tools
    'id',
    encode?.messages,
    encode?.system?.key,
    encode?.model,
    ...(maxTokens === undefined ? [] : LIMITS),
    ...covered,
    ...namesIn(messagePaths),
    ...(envelope?.holders ?? []),
  ]);
  const holders = new Set([...Object.values(encode?.parameters?.paths ?? {}).flat(), ...covered].flatMap(holdersOf));
  const isCovered = (path: string) => [...covered].some((own) => own === path || own.startsWith(`${path}.`));
  return record.members().flatMap(({ key, value }) => {
    const isHolder = holders.has(key.text) && !covered.has(key.text) && value.isObject;
    if ((known.has(key.text) && !isHolder) || value.isNull) return [];
    if (!isHolder) return [`\`${key.text}\``];
    const inner = value.members().filter((member) => !member.value.isNull && !known.has(member.key.text));
    return inner
      .map((member) => `${key.text}.${member.key.text}`)
      .flatMap((path) => (isCovered(path) ? [] : [`\`${path}\``]));
  });
}

/** What holds a member. */
function holdersOf(path: string): string[] {
  const [holder, inner] = path.split('.');
  return inner === undefined ? [] : [holder!];
}

/** The names in paths of messages, which are the same for all transcripts of a format. */
function namesIn(paths: readonly string[]): readonly string[] {
  const names = pathNames.get(paths) ?? paths.flatMap((path) => path.match(/[A-Za-z_]+/g) ?? []);
  pathNames.set(paths, names);
  return names;
}

const pathNames = new WeakMap<readonly string[], readonly string[]>();
