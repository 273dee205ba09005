/**
 * What Pydantic AI takes as a message history, from its dataclasses: `ModelMessagesTypeAdapter.validate_json`.
 * https://github.com/pydantic/pydantic-ai/blob/002cbd42a1c80f86ebfe66193e6646a2f0d56c2b/pydantic_ai_slim/pydantic_ai/messages.py
 * Fields with a default may be missing, unknown ones are ignored; read on 2026-11-30.
 */
import { z } from 'zod';

const text = z.string();
const any = z.record(z.string(), z.unknown());
const time = z.iso.datetime({ offset: true }).optional();
const maybe = text.nullish();

const url = (kind: string) => z.looseObject({ kind: z.literal(kind), url: text, media_type: text.optional() });
const binary = z.looseObject({ kind: z.literal('binary'), data: text, media_type: text });
const media = z.discriminatedUnion('kind', [
  url('image-url'),
  url('audio-url'),
  url('document-url'),
  url('video-url'),
  binary,
  z.looseObject({ kind: z.literal('uploaded-file'), file_id: text, provider_name: text }),
]);
const userContent = z.union([
  text,
  z.looseObject({ kind: z.literal('text-content'), content: text }),
  media,
  z.looseObject({ kind: z.literal('cache-point'), ttl: z.enum(['5m', '1h']).optional() }),
]);
/** What a tool returned: of `Any`, so that only what stands in the place of a file is judged. */
const returned = z.unknown().refine((value) => fileFaults(value).length === 0, 'a file is malformed');

function fileFaults(value: unknown): unknown[] {
  const items = Array.isArray(value) ? value : [value];
  return items.filter(
    (item) => typeof item === 'object' && item !== null && isFile(item) && !media.safeParse(item).success,
  );
}

function isFile(item: object): boolean {
  return 'kind' in item && typeof item.kind === 'string' && /^(?:.*-url|binary|uploaded-file)$/.test(item.kind);
}

const detailed = { id: maybe, provider_name: maybe, provider_details: any.nullish() };
const call = { tool_name: text, args: z.union([text, any]).nullish(), tool_call_id: text.optional(), ...detailed };
const result = {
  tool_name: text,
  content: returned,
  tool_call_id: text.optional(),
  timestamp: time,
  outcome: z.enum(['success', 'failed', 'denied', 'interrupted']).optional(),
};
const error = z.looseObject({ type: text, loc: z.array(z.union([text, z.number()])), msg: text });

const requestPart = z.discriminatedUnion('part_kind', [
  z.looseObject({ part_kind: z.literal('system-prompt'), content: text, timestamp: time, dynamic_ref: maybe }),
  z.looseObject({
    part_kind: z.literal('user-prompt'),
    content: z.union([text, z.array(userContent)]),
    timestamp: time,
  }),
  z.looseObject({ part_kind: z.literal('tool-return'), ...result }).refine((part) => 'content' in part),
  z.looseObject({
    part_kind: z.literal('retry-prompt'),
    content: z.union([text, z.array(error)]),
    tool_name: maybe,
    tool_call_id: text.optional(),
    timestamp: time,
  }),
]);
const responsePart = z.discriminatedUnion('part_kind', [
  z.looseObject({ part_kind: z.literal('text'), content: text, ...detailed }),
  z.looseObject({ part_kind: z.literal('thinking'), content: text, signature: maybe, ...detailed }),
  z.looseObject({ part_kind: z.literal('tool-call'), ...call }),
  z.looseObject({ part_kind: z.literal('builtin-tool-call'), ...call }),
  z.looseObject({ part_kind: z.literal('builtin-tool-return'), ...result }).refine((part) => 'content' in part),
  z.looseObject({ part_kind: z.literal('compaction'), content: maybe, ...detailed }),
  z.looseObject({ part_kind: z.literal('file'), content: binary, ...detailed }),
]);

const history = z.array(
  z.discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('request'),
      parts: z.array(requestPart),
      timestamp: time.nullable(),
      instructions: maybe,
      run_id: maybe,
    }),
    z.looseObject({ kind: z.literal('response'), parts: z.array(responsePart), timestamp: time, model_name: maybe }),
  ]),
);

/** What Pydantic AI would refuse in a history; none if it takes it. */
export function refusedByPydantic(messages: unknown): string[] {
  const { error: fault } = history.safeParse(messages);
  return fault?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}
