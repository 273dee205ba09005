/** Names of tools that the target's API takes, the same in calls, results and definitions. */
import type { Encode } from '../formats/encode.js';
import { readTools } from '../formats/shared/tools.js';
import { shortened, takeFree } from '../rules/shared/call-ids.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import type { Notes } from './findings.js';
import type { Target } from './targets.js';

/** The new names by the old ones; different tools keep different names. */
export type ToolNames = ReadonlyMap<string, string>;

export function toolNamesFor(
  { messages, tools }: Transcript,
  { notInNames, longestName = Infinity }: Encode,
  notes: Notes,
): ToolNames {
  const names = new Map<string, string>();
  if (notInNames === undefined) return names;
  const { definitions, customs } = readTools(tools?.text ?? '[]');
  const called = messages.flatMap(({ parts }) => parts.flatMap((part) => ('tool' in part ? (part.tool ?? []) : [])));
  const taken = new Set([...definitions, ...customs].map(({ name }) => name).concat(called));
  for (const old of [...taken]) {
    if (old.search(notInNames) < 0 && old.length <= longestName) continue;
    const clean = old.replace(notInNames, '_');
    // a name that is taken gets a number behind it
    const most = taken.has(clean) ? longestName - NUMBER : longestName;
    names.set(old, takeFree(shortened(old, clean, most), taken));
    notes.note(`that a tool is named \`${old}\`: it is \`${names.get(old)}\``);
  }
  return names;
}

/** The room for a number: `_2` to `_999`. */
const NUMBER = 4;

export function renamed<T extends { readonly name: string }>(tool: T, names: ToolNames): T {
  return names.has(tool.name) ? { ...tool, name: names.get(tool.name)! } : tool;
}

/** The target, which writes the choice of tools by their new names, and of those that are defined. */
export function choosing(target: Target, names: ToolNames, { tools }: Transcript): Target {
  const { parameters } = target.encode;
  const choice = parameters?.toolChoice;
  if (choice === undefined) return target;
  const { definitions, customs } = readTools(tools?.text ?? '[]');
  const defined = new Set([...definitions, ...customs].map(({ name }) => name));
  const write: typeof choice.write = (value) => {
    if (typeof value === 'string') return choice.write(value);
    const known = value.tools.filter((name) => defined.size === 0 || defined.has(name));
    return known.length === 0
      ? undefined
      : choice.write({ ...value, tools: known.map((name) => names.get(name) ?? name) });
  };
  const root = parameters!.paths.toolChoice?.[0]?.split('.')[0];
  const own = names.size === 0 ? parameters!.own : parameters!.own.filter((key) => key !== root);
  const written = { ...parameters!, own, toolChoice: { ...choice, write } };
  return { ...target, encode: { ...target.encode, parameters: written } };
}

export function withNames(messages: readonly Message[], names: ToolNames): readonly Message[] {
  const named = (part: Part): Part =>
    (part.type === 'call' || part.type === 'result') && names.has(part.tool ?? '')
      ? { ...part, tool: names.get(part.tool!)!, raw: undefined }
      : part;
  return names.size === 0 ? messages : messages.map((message) => ({ ...message, parts: message.parts.map(named) }));
}
