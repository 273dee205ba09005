/** Tools that Anthropic's servers run: their uses and results are blocks of the assistant turn, not client calls. */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { styleOf } from '../../json/style.js';
import { mapMessages, mapParts } from '../../transcript/edit.js';
import type { Part, Transcript } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';

export interface ServerUse {
  readonly id: string;
  /** The tool name; for MCP tools, the block type. */
  readonly tool: string;
  readonly part: Part;
  readonly message: number;
  /** Its result follows in the same turn. */
  answered: boolean;
  /** Text of the model or the user follows, so no result is pending. */
  passed: boolean;
}

export interface ServerResult {
  readonly id: string;
  /** The block's type: `web_search_tool_result`. */
  readonly type: string;
  readonly part: Part;
  readonly message: number;
  readonly use: ServerUse | undefined;
}

const USES = new Set(['server_tool_use', 'mcp_tool_use']);
/** Does not match `tool_result`, which answers a client call. */
const RESULT = /._tool_result$/;

/**
 * The uses and results of a history, paired within a model turn. A user message ends the turn; results of client calls
 * do not, because a server tool may call client tools.
 */
export function serverTools({ transcript, wire }: RuleContext): {
  readonly uses: ServerUse[];
  readonly results: ServerResult[];
} {
  const uses: ServerUse[] = [];
  const results: ServerResult[] = [];
  let open: ServerUse[] = []; // the uses of this turn
  transcript.messages.forEach((message, index) => {
    if (message.role === 'meta') return;
    if (message.role !== 'assistant') {
      if (message.role === 'tool') return;
      for (const use of open) use.passed = true;
      open = [];
      return;
    }
    if (wire(message) === undefined) return;
    for (const part of message.parts) {
      const block = blockOf(part);
      const type = block?.get('type')?.string ?? '';
      if (USES.has(type)) {
        const use: ServerUse = {
          id: block!.get('id')?.string ?? '',
          tool: (type === 'server_tool_use' ? block!.get('name')?.string : undefined) ?? type,
          part,
          message: index,
          answered: false,
          passed: false,
        };
        uses.push(use);
        open.push(use);
      } else if (RESULT.test(type)) {
        const id = block!.get('tool_use_id')?.string ?? '';
        const use = open.find((candidate) => candidate.id === id && !candidate.answered);
        if (use !== undefined) use.answered = true;
        results.push({ id, type, part, message: index, use });
      } else if (part.type === 'text') for (const use of open) use.passed = true;
    }
  });
  return { uses, results };
}

/** The block of a server tool, which is not read any further. */
export function blockOf({ type, raw }: Part): JsonNode | undefined {
  return type === 'opaque' && raw instanceof JsonNode ? raw : undefined;
}

/** Renames the ids of these blocks, and of the client calls that such a tool made (`caller`). */
export function withServerIds(
  transcript: Transcript,
  blocks: ReadonlySet<Part>,
  names: ReadonlyMap<string, string>,
): Transcript {
  return mapMessages(transcript, (message) =>
    mapParts(message, (part) => {
      if (!(part.raw instanceof JsonNode)) return part;
      if (blocks.has(part)) return changed(part, part.raw, renamed(part.raw, names, 'id', 'tool_use_id'));
      const caller = part.type === 'call' ? part.raw.get('caller') : undefined;
      return caller === undefined
        ? part
        : changed(part, part.raw, patch(part.raw, { caller: renamed(caller, names, 'tool_id') }));
    }),
  );
}

function renamed(node: JsonNode, names: ReadonlyMap<string, string>, ...keys: readonly string[]): Json {
  const fields = keys.flatMap((key) => {
    const name = names.get(node.get(key)?.string ?? '\0');
    return name === undefined ? [] : [[key, name] as const];
  });
  return patch(node, Object.fromEntries(fields));
}

/** The part with an edited block. */
function changed(part: Part, raw: JsonNode, edited: Json): Part {
  if (edited === raw) return part;
  const block = reparsed(edited, () => styleOf(raw));
  return part.type === 'opaque' ? { ...part, text: block, raw: block } : { ...part, raw: block };
}
