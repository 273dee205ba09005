/**
 * What Amp sends beside the content of a user's message, between its results and its texts: the files that it mentions,
 * what the user's editor shows, and files with guidance. As the code of the CLI builds its requests (ZfR in the bundle,
 * seen on 2026-11-30).
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';
import { json, present } from '../shared/json-fields.js';
import { isResult } from '../shared/parts.js';

const MENTIONS = 'fileMentions';
const STATE = 'userState';
const GUIDANCE = 'discoveredGuidanceFiles';

export function withBeside(parts: readonly Part[], raw: JsonNode): readonly Part[] {
  const beside = besideIn(raw);
  if (beside.length === 0) return parts;
  const results = parts.findLastIndex(isResult) + 1;
  return [...parts.slice(0, results), ...beside, ...parts.slice(results)];
}

function besideIn(raw: JsonNode): Part[] {
  const state = present(raw, STATE);
  return [
    ...filesIn(raw.get(MENTIONS)?.get('files')),
    ...(state?.isObject ? [{ type: 'opaque', text: state.text, raw: state } as const] : []),
    ...filesIn(raw.get(GUIDANCE)),
  ];
}

function filesIn(list: JsonNode | undefined): Part[] {
  const texts = list?.items().map((file) => file.get('content')) ?? [];
  return texts.flatMap((text): Part[] => (text?.string ? [{ type: 'text', text, raw: text }] : []));
}

/** The parts of the content, and the members with the others. */
export function apart(parts: readonly Part[], raw: JsonNode): { content: readonly Part[]; fields: JsonFields } {
  const beside = besideIn(raw).map((part) => part.raw as JsonNode);
  if (beside.length === 0) return { content: parts, fields: {} };
  const isBeside = (part: Part) => beside.some((node) => node.is(part.raw));
  const left = parts.filter(isBeside);
  const [mentions, state] = [raw.get(MENTIONS), raw.get(STATE)];
  const files = mentions?.get('files');
  return {
    content: parts.filter((part) => !isBeside(part)),
    fields: {
      ...(files === undefined ? {} : { [MENTIONS]: patch(mentions!, { files: writeFiles(files, left) }) }),
      ...(state?.isObject && !left.some((part) => state.is(part.raw)) ? { [STATE]: undefined } : {}),
      ...(raw.get(GUIDANCE) === undefined ? {} : { [GUIDANCE]: writeFiles(raw.get(GUIDANCE)!, left) }),
    },
  };
}

function writeFiles(list: JsonNode, parts: readonly Part[]): Json {
  if (!list.isArray) return list;
  const files = list.items().flatMap((file) => {
    const old = file.get('content');
    if (!old?.string) return [file];
    const part = parts.find(({ raw }) => old.is(raw));
    return part?.type === 'text' ? [patch(file, { content: json(part.text) })] : [];
  });
  return patchItems(list, files);
}
