/** Writes the parts of UI messages, and the members of version 4 that repeat them. */
import { type Json, type JsonFields, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Part, TextPart, ThinkingPart } from '../../transcript/types.js';
import { present, stringOf } from '../shared/json-fields.js';
import { mergeIntoList, type WrittenElement } from './ai-sdk.js';
import { detailsIn, isStepStart, textIn, toolOf } from './vercel-ui-read.js';
import { freshTool, type Unit, writeTool } from './vercel-ui-tools.js';

/** The parts of a message as units: each result joins its call if that has none yet. */
export function unitsOf(parts: readonly Part[]): Unit[] {
  const units: Unit[] = [];
  for (const part of parts) {
    if (part.type === 'call') units.push({ from: part.raw, call: part });
    else if (part.type === 'result') {
      const at = units.findLastIndex(
        ({ call, result }) =>
          call !== undefined &&
          result === undefined &&
          (part.raw === undefined ? call.callId === part.callId : call.raw === part.raw),
      );
      if (at < 0) units.push({ from: part.raw, result: part });
      else units[at] = { ...units[at]!, result: part };
    } else units.push({ from: part.raw, part });
  }
  return units;
}

/** The member `parts`, and what repeats it in messages of version 4. */
export function partsFields(units: readonly Unit[], list: JsonNode, raw: JsonNode): JsonFields {
  const written = units.map((unit): WrittenElement & Unit => ({ ...unit, json: writeUnit(unit) }));
  const parts = mergeIntoList(
    list,
    (item) => !isStepStart(item),
    written,
    (item, index, items) => (isStepEmptied(index, items, units) ? undefined : item),
  );
  if (parts === list) return {};
  const invocations = present(raw, 'toolInvocations');
  return {
    parts,
    ...(invocations === undefined ? {} : { toolInvocations: repeatTools(written, list, invocations) }),
    ...repeatTexts(units, list, raw),
    ...repeatThoughts(units, list, raw),
  };
}

/** Whether a step had parts, and none of them is left. */
function isStepEmptied(start: number, items: readonly JsonNode[], units: readonly Unit[]): boolean {
  const next = items.findIndex((item, index) => index > start && isStepStart(item));
  const step = items.slice(start + 1, next < 0 ? items.length : next);
  return step.length > 0 && !step.some((item) => units.some(({ from }) => item.is(from)));
}

/** `toolInvocations` with the same changes as the parts; the n-th invocation with an id is the n-th part with it. */
function repeatTools(written: readonly (WrittenElement & Unit)[], list: JsonNode, invocations: JsonNode): Json {
  const tools = list.items().filter((part) => toolOf(part) !== undefined);
  const withInvocation = tools.filter((part) => part.get('toolInvocation') !== undefined);
  const parts = withInvocation.length > 0 ? withInvocation : tools;
  const partKeys = numberedIds(parts.map((part) => toolOf(part)!));
  const partOf = new Map(parts.map((part, index) => [partKeys[index], part]));
  const invocationKeys = numberedIds(invocations.items());
  return patchEach(invocations, (tool, index) => {
    const part = partOf.get(invocationKeys[index]);
    const unit = part && written.find(({ from }) => part.is(from));
    if (unit === undefined) return part === undefined ? tool : undefined;
    return unit.json === unit.from ? tool : writeTool(unit, tool);
  });
}

/** The id of each tool, behind the number of tools with the same id before it. */
function numberedIds(tools: readonly JsonNode[]): string[] {
  const seen = new Map<string, number>();
  return tools.map((tool) => {
    const id = tool.get('toolCallId')?.string ?? '';
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return `${count} ${id}`;
  });
}

/** The member `content`, if it repeated all texts of the parts. */
function repeatTexts(units: readonly Unit[], list: JsonNode, raw: JsonNode): JsonFields {
  const texts = list.items().filter((part) => part.get('type')?.string === 'text');
  const content = raw.get('content');
  if (!content?.isString || content.text !== texts.map((part) => part.get('text')?.string ?? '').join('')) return {};
  return { content: joinedText(units) };
}

/** The member `reasoning`, with what became of the thoughts that it repeats. */
function repeatThoughts(units: readonly Unit[], list: JsonNode, raw: JsonNode): JsonFields {
  const said = raw.get('reasoning')?.string;
  if (said === undefined) return {};
  const now = list.items().reduce((text, item) => {
    const before = item.get('type')?.string === 'reasoning' ? textOf(textIn(item) ?? '') : '';
    const part = units.find(({ from }) => item.is(from))?.part;
    return text.replace(before, () => (part?.type === 'thinking' ? textOf(part.text) : ''));
  }, said);
  return now === said ? {} : { reasoning: now.trim() === '' ? undefined : now };
}

function joinedText(units: readonly Unit[]): string {
  return units.flatMap(({ part }) => (part?.type === 'text' ? [textOf(part.text)] : [])).join('');
}

/** The members of a version 4 message without `parts`. */
export function version4Fields(units: readonly Unit[], raw: JsonNode): JsonFields {
  const list = present(raw, 'toolInvocations');
  const tools = units.filter(({ part }) => part === undefined);
  const thought = units.find(({ part }) => part?.type === 'thinking')?.part;
  const reasoning = thought?.type === 'thinking' ? stringOf(thought.text) : undefined;
  return {
    ...version4Content(units, raw),
    ...(raw.get('reasoning')?.isString ? { reasoning } : {}),
    ...(list === undefined
      ? {}
      : {
          toolInvocations: tools.length === 0 && list.length > 0 ? undefined : patchItems(list, tools.map(writeUnit)),
        }),
  };
}

function version4Content(units: readonly Unit[], raw: JsonNode): JsonFields {
  const texts = units.flatMap(({ part }) => (part?.type === 'text' ? [part] : []));
  if (texts.length === 1) return { content: stringOf(texts[0]!.text) };
  return raw.get('content')?.isString ? { content: joinedText(units) } : {};
}

/** A unit as an element of `parts` (in version 4, of `toolInvocations`). */
export function writeUnit(unit: Unit): Json {
  const { part, from } = unit;
  const old = from instanceof JsonNode && from.isObject ? from : undefined;
  if (part === undefined) return writeToolUnit(unit, old);
  if (part.type !== 'text' && part.type !== 'thinking') return old === undefined ? { type: part.type } : asPart(old);
  if (old === undefined) return { type: part.type === 'text' ? 'text' : 'reasoning', text: stringOf(part.text) };
  return patch(old, { ...(part.type === 'thinking' ? detailsField(part, old) : {}), ...textField(part, old) });
}

/** The member with the text; not where that is empty because `details` has it. */
function textField({ text }: TextPart | ThinkingPart, old: JsonNode): JsonFields {
  const key = old.get('text') === undefined ? 'reasoning' : 'text';
  return detailsIn(old).length > 0 && !old.get(key)?.string ? {} : { [key]: stringOf(text) };
}

/** The `details` of a thought, if they have its text: what became of it stands in the first of them. */
function detailsField({ text }: ThinkingPart, old: JsonNode): JsonFields {
  const [first, ...others] = detailsIn(old);
  if (first === undefined) return {};
  const details = old.get('details')!;
  const said = [first, ...others].map((detail) => detail.get('text')!.text).join('');
  if (textOf(text) === said || textOf(textIn(old)!) !== said) return {};
  const kept = details.items().filter((detail) => !others.some((other) => other.is(detail)));
  const written = kept.map((detail) => (first.is(detail) ? patch(detail, { text: stringOf(text) }) : detail));
  return { details: patchItems(details, written) };
}

function writeToolUnit(unit: Unit, old: JsonNode | undefined): Json {
  const tool = old && (toolOf(old) ?? old);
  if (tool === undefined) return freshTool(unit);
  return tool === old || tool.is(old) ? writeTool(unit, tool) : patch(old!, { toolInvocation: writeTool(unit, tool) });
}

/** An attachment of version 4 has no type: as a part it becomes a file. */
function asPart(old: JsonNode): Json {
  return old.get('type') === undefined && old.get('contentType') !== undefined
    ? { type: 'file', mediaType: old.get('contentType'), filename: old.get('name'), url: old.get('url') }
    : old;
}
