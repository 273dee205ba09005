/** The parts of a response that VS Code shows, where they are all that is known of it. */
import { type Json, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';
import { present } from '../shared/json-fields.js';
import { thinkingText } from './vscode-chat-result.js';
import type { Slot } from './vscode-chat-slot.js';

/** Each run of texts, then of tools, is one message; a tool that ran is a call and its result. */
export function repliesOf(parts: readonly JsonNode[]): Slot[] {
  const slots: Slot[] = [];
  let texts: number[] = [];
  let calls: number[] = [];
  const finish = () => {
    if (texts.length > 0 || calls.length > 0) addAll(slots, replyOf(parts, texts, calls));
    texts = [];
    calls = [];
  };
  parts.forEach((part, index) => {
    if (isTool(part)) calls.push(index);
    else if (shownText(part) !== undefined || thoughtIn(part) !== undefined) {
      if (calls.length > 0) finish();
      texts.push(index);
    }
  });
  finish();
  return slots;
}

function replyOf(parts: readonly JsonNode[], texts: readonly number[], calls: readonly number[]): Slot[] {
  const content = texts.map((index) => shownText(parts[index]!) ?? '').join('');
  const thoughts = texts.map((index) => thoughtIn(parts[index]!) ?? '').join('');
  if (content === '' && thoughts === '' && calls.length === 0) return [];
  return [
    {
      message: {
        role: 'assistant',
        content: content === '' && calls.length > 0 ? null : content,
        reasoning_content: thoughts === '' ? undefined : thoughts,
        tool_calls:
          calls.length === 0
            ? undefined
            : calls.map((index) => ({
                id: idOf(parts[index]!, index),
                type: 'function',
                function: { name: parts[index]!.get('toolId')?.string ?? '', arguments: inputOf(parts[index]!) },
              })),
      },
      place: { kind: 'reply', texts, calls },
    },
    ...calls.map(
      (index): Slot => ({
        message: { role: 'tool', tool_call_id: idOf(parts[index]!, index), content: outputOf(parts[index]!) },
        place: { kind: 'shown result', part: index },
      }),
    ),
  ];
}

function isTool(part: JsonNode): boolean {
  return part.get('kind')?.string === 'toolInvocationSerialized';
}

export function idOf(part: JsonNode, index: number): string {
  return part.get('toolCallId')?.string ?? `tool_${index}`;
}

/** The text of a part: Markdown, a name of a file in it, or the edits of a file. */
export function shownText(part: JsonNode): string | undefined {
  const kind = part.get('kind')?.string;
  if (kind === undefined) return part.get('value')?.string;
  if (kind === 'markdownContent' || kind === 'markdownVuln') return part.get('content')?.get('value')?.string;
  if (kind === 'inlineReference') return nameOfReference(part);
  if (kind !== 'textEditGroup') return undefined;
  const edits = part.get('edits')?.items() ?? [];
  return edits
    .flatMap((group) => (group.isArray ? group.items() : [group]))
    .map((edit) => edit.get('text')?.string ?? '')
    .join('\n');
}

function nameOfReference(part: JsonNode): string {
  const reference = part.get('inlineReference');
  const uri = reference?.get('uri') ?? reference?.get('location')?.get('uri') ?? reference;
  return (
    part.get('name')?.string ?? reference?.get('name')?.string ?? uri?.get('path')?.string?.split('/').at(-1) ?? ''
  );
}

export function thoughtIn(part: JsonNode): string | undefined {
  return part.get('kind')?.string === 'thinking' ? thinkingText(part.get('value')) : undefined;
}

/** The arguments, as far as they are shown. */
function inputOf(part: JsonNode): string {
  const input = part.get('resultDetails')?.get('input');
  if (input !== undefined) return input.text;
  const data = part.get('toolSpecificData');
  const raw = data?.get('rawInput');
  if (raw !== undefined) return raw.text;
  const line = data?.get('commandLine');
  const command = (line?.get('userEdited') ?? line?.get('toolEdited') ?? line?.get('original') ?? data?.get('command'))
    ?.string;
  if (command !== undefined) return JSON.stringify({ command });
  const prompt = data?.get('prompt')?.string;
  return prompt === undefined ? '{}' : JSON.stringify({ description: data?.get('description')?.string, prompt });
}

/** What came back; otherwise what VS Code says about it. */
function outputOf(part: JsonNode): string {
  const details = part.get('resultDetails')?.get('output');
  if (details?.isArray)
    return details
      .items()
      .map((each) => each.get('value')?.string ?? '')
      .join('\n');
  const data = part.get('toolSpecificData');
  const output = data?.get('terminalCommandOutput')?.get('text')?.string ?? data?.get('result')?.string;
  if (output !== undefined) return output;
  const shown = present(part, 'pastTenseMessage') ?? present(part, 'invocationMessage');
  return shown?.string ?? shown?.get('value')?.string ?? '';
}

// --- writing

/** A part that shows a text. */
export function shown(text: string, old?: JsonNode): Json {
  const isMarkdown = old !== undefined && old.get('kind') === undefined;
  return isMarkdown ? patch(old, { value: text }) : { value: text, supportThemeIcons: false, supportHtml: false };
}

/** A tool that ran, with other arguments or another result. */
export function withTool(part: JsonNode, change: { id?: string; input?: string; output?: string }): Json {
  const { id, input, output } = change;
  const isSameInput = input === undefined || input === inputOf(part);
  const isSameOutput = output === undefined || output === outputOf(part);
  const named = id === undefined ? part : patch(part, { toolCallId: id });
  if (isSameInput && isSameOutput) return named;
  return {
    kind: 'toolInvocationSerialized',
    toolCallId: id ?? part.get('toolCallId'),
    toolId: part.get('toolId'),
    isComplete: true,
    source: part.get('source'),
    resultDetails: {
      input: input ?? inputOf(part),
      output: [{ type: 'embed', isText: true, value: output ?? outputOf(part) }],
    },
  };
}
