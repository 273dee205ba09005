/** Sessions of Continue: what is sent, what repeats it and follows its edits, and what the requests used. */
import { describe, expect, it } from 'vitest';
import { runIn } from '../../src/cli/cli.js';
import { withoutCompacted } from '../../src/transcript/sent.js';
import type { Part, Transcript } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { recordedStats } from '../shared/recorded-stats.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { memoryTerminal } from '../shared/terminal.js';
import { outline } from '../shared/unread-files.js';

const cli = fixture('continue-session/hand-cli.json');
const ide = fixture('continue-session/hand-ide.json');
const compacted = fixture('continue-session/hand-compaction.json');
const first = (text: string): Transcript => openText(text).transcripts[0]!;

interface Item {
  readonly message: { readonly role: string; readonly content: unknown; readonly toolCalls?: readonly object[] };
  readonly contextItems: readonly { readonly content: string }[];
  readonly editorState?: unknown;
  readonly promptLogs?: readonly { readonly prompt: string }[];
  readonly toolCallStates?: readonly object[];
  readonly toolCallState?: object;
  readonly conversationSummary?: string;
}
const itemsOf = (text: string) => (JSON.parse(text) as { readonly history: readonly Item[] }).history;

/** With each text, thought and argument changed. */
const shouted = (text: string) =>
  mapText(text, (transcript) => ({ ...transcript, messages: transcript.messages.map(shoutedMessage) }));
const shoutedMessage = <M extends { readonly parts: readonly Part[] }>(message: M): M =>
  message.parts.length === 0 ? message : { ...message, parts: message.parts.map(shoutedPart) };
function shoutedPart(part: Part): Part {
  if (part.type === 'text' || part.type === 'thinking') return { ...part, text: 'LOUD' };
  if (part.type === 'call') return { ...part, input: '{"a":1}' };
  return part.type === 'result' ? { ...part, content: [{ type: 'text', text: 'LOUD' }] } : part;
}

describe('what is sent', () => {
  it('has what a prompt refers to, thoughts, and results behind their calls', () => {
    expect(outline(first(ide)).map((line) => line.slice(0, 60).replaceAll('\n', ' '))).toEqual([
      'user: ```/w/app/parser.go package parser  func parse() {} ``` + Why does the parser'.slice(0, 60),
      'assistant: thinking A file that lacks a final line break may be it.'.slice(0, 60),
      'assistant: I run the tests. + run_terminal_command({"command": "go test'.slice(0, 60),
      'assistant: thinking So the reader stops at the last line break. + Th'.slice(0, 60),
      'user: Mend it.',
      'assistant: single_find_and_replace({"filepath": "parser.go", "old_str'.slice(0, 60),
    ]);
    const flags = first(ide).messages.flatMap(({ parts }) =>
      parts.flatMap((p) => (p.type === 'result' ? p.isError : [])),
    );
    expect(flags).toEqual([false, true, true]);
  });

  it('begins with the last summary: that of the command line is the message itself', () => {
    const sent = (text: string) => outline(withoutCompacted(first(text)));
    expect(sent(compacted)).toEqual([
      'system: You are an agent in a terminal.',
      'assistant: The bar is teal, and the axis was asked for.',
      'user: continue',
      'assistant: The axis is gray.',
    ]);
    const { history, ...rest } = JSON.parse(compacted) as { readonly history: readonly object[] };
    expect(sent(JSON.stringify({ ...rest, history: history.slice(0, 5) }))).toEqual([
      'system: You are an agent in a terminal.',
      'assistant: It is teal. + The user asked for the color of the bar; bar.css says teal.',
      'user: And the axis?',
    ]);
  });
});

describe('an edit', () => {
  it('changes a call in the message and in its state, whatever the state is called', () => {
    for (const text of [cli, ide, compacted]) {
      const after = shouted(text);
      const input = '"arguments":"{\\"a\\":1}"';
      const calls = after.replaceAll(/\s+/g, '').split(input).length - 1;
      expect(calls).toBe(after.split('"arguments"').length - 1);
      expect(after).not.toMatch(/"parsedArgs": \{\s*"(?!a")/);
      expect(after).not.toContain('processedArgs');
    }
  });

  it('changes what repeats a text: the input field, the summary, the result that is shown, the log of requests', () => {
    const [prompt] = itemsOf(shouted(cli));
    expect(prompt).toMatchObject({ message: { content: 'LOUD' }, editorState: 'LOUD' });
    const items = itemsOf(shouted(ide));
    expect(items[6]!.editorState).toEqual({
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'LOUD' }] }],
    });
    expect(items[0]!.contextItems.map(({ content }) => content)).toEqual(['LOUD']);
    expect(items.filter(({ message }) => message.role === 'tool').map(({ message }) => message.content)).toEqual([
      'LOUD',
      'LOUD',
    ]);
    for (const gone of ['Why does the parser drop', 'FAIL app/parser', 'Once', 'reader.go']) {
      const logs = JSON.stringify(items.map(({ promptLogs }) => promptLogs));
      expect(logs).not.toContain(gone);
    }
    const [summaries] = [itemsOf(shouted(compacted)).flatMap(({ conversationSummary }) => conversationSummary ?? [])];
    expect(summaries).toEqual(['LOUD', 'LOUD']);
  });

  it('that drops a call drops its state and what shows its result', () => {
    const items = itemsOf(rewriteText(ide, 'filter', { maxToolCalls: 0 }));
    expect(items.map(({ message }) => message.role)).not.toContain('tool');
    const last = [expect.objectContaining({ toolCallId: 'toolu_03' })]; // it goes on
    expect(items.flatMap(({ toolCallStates = [] }) => toolCallStates)).toEqual(last);
    expect(items.flatMap(({ message }) => message.toolCalls ?? [])).toHaveLength(1);
    const old = itemsOf(rewriteText(compacted, 'filter', { maxToolCalls: 0 }));
    expect(old.flatMap(({ toolCallState }) => toolCallState ?? [])).toEqual([]);
  });

  it('gives an interrupted call the result that the command line sends', () => {
    const open = cli.replace('"status": "done"', '"status": "calling"').replace(/"output": \[[^\]]*\]/, '"x": 0');
    const [state] = itemsOf(rewriteText(open, 'patch', {})).flatMap(({ toolCallStates = [] }) => toolCallStates);
    expect(state).toMatchObject({ toolCallId: 'call_30', output: [{ name: 'Tool Result' }] });
  });
});

describe('what requests used', () => {
  const sumsOf = (text: string) => recordedStats(text).paid.usage;

  it('of the command line: the session has more than its messages, and calls the cache by another name', () => {
    expect(sumsOf(cli)).toMatchObject({ input: 4200, cacheRead: 2400, output: 250 });
  });

  it('of the extensions', () => {
    expect(sumsOf(ide)).toMatchObject({ input: 800, cacheRead: 3700, cacheWrite5m: 200, output: 130 });
  });

  it("of Anthropic's API, whose input excludes the cache", () => {
    const details =
      '"prompt_tokens_details": {"cache_write_tokens": 7, "cache_read_tokens": 600, "cached_tokens": 600}';
    const anthropic = cli.replaceAll(/"prompt_tokens_details": \{[^}]*\}/g, details);
    expect(sumsOf(anthropic)).toMatchObject({ input: 6600, cacheRead: 2400, cacheWrite5m: 28, output: 250 });
  });
});

it('shows a cost that stands alone as one without tokens', async () => {
  const { terminal, out } = memoryTerminal({ cwd: process.cwd() });
  await runIn(terminal, ['show', 'fixtures/formats/continue-session/hand-ide.json']);
  expect(out()).toMatch(/^#7 assistant {2}~\d+ tokens, no tokens recorded, \$0\.0071$/m);
  expect(out()).not.toContain('prompt 0');
});
