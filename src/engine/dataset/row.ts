/** A conversation as rows of datasets have it: messages of OpenAI chat, each with all keys. */

import type { CallSite, ResultSite } from '../../transcript/pairs.js';
import { pair } from '../../transcript/pairs.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, Transcript } from '../../transcript/types.js';

export interface RowCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The same members in the same order in every message, so that every row has the same columns. */
export interface RowMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  reasoning_content: string | null;
  tool_calls: RowCall[] | null;
  readonly tool_call_id: string | null;
  name: string | null;
}

/** What a conversation loses as a row. */
export type Loss = 'media' | 'result-moved' | 'result-lost' | 'part-lost';

export interface Spoken {
  readonly messages: readonly RowMessage[];
  readonly losses: ReadonlySet<Loss>;
  /** The calls without a result. */
  readonly open: ReadonlySet<RowCall>;
}

export function spokenIn(transcript: Transcript): Spoken {
  const writer = new Writer(transcript);
  for (const message of transcript.messages) if (message.role !== 'meta') writer.add(message);
  return writer.end();
}

class Writer {
  private readonly messages: RowMessage[] = [];
  private readonly losses = new Set<Loss>();
  private readonly open = new Set<RowCall>();
  private readonly sites = new Map<Part, CallSite>();
  private readonly ids = new Set<string>();
  /** By id, the lowest number that may make it another. */
  private readonly counts = new Map<string, number>();
  /** Of the model's message that is being put together. */
  private current: { readonly message: RowMessage; readonly group: string | undefined; sites: CallSite[] } | undefined;
  private readonly joinsPieces: boolean;

  constructor({ messages, traits }: Transcript) {
    const { calls, results } = pair(messages);
    for (const call of calls) this.sites.set(call.part, call);
    for (const { call, standing, part } of results) {
      if (call === undefined || call.results[0]?.part !== part) this.losses.add('result-lost');
      else if (standing !== 'in place') this.losses.add('result-moved');
    }
    this.joinsPieces = traits.piecesStandAlone === true;
  }

  add({ role, parts, name, group }: Message): void {
    if (role === 'assistant') {
      const { message } = this.isContinuedBy(group) ? this.current! : this.begin(group);
      message.name ??= name ?? null;
      for (const part of parts) this.reply(part, group);
    } else if (role !== 'tool' && role !== 'meta') {
      const content = parts.filter(isContent);
      if (content.length > 0 || parts.length === 0) this.say(role, content, name);
    }
  }

  end(): Spoken {
    this.finish();
    return { messages: this.messages, losses: this.losses, open: this.open };
  }

  private say(role: 'system' | 'user', content: readonly ContentPart[], name: string | undefined): void {
    this.finish();
    this.messages.push({ ...EMPTY, role, content: this.textIn(content), name: name ?? null });
  }

  private reply(part: Part, group: string | undefined): void {
    if (part.type === 'result') {
      this.finish(); // what follows is another message of the model
      return;
    }
    const { message, sites } = this.current ?? this.begin(group);
    if (part.type === 'thinking')
      message.reasoning_content = joined(message.reasoning_content ?? '', textOf(part.text));
    else if (part.type === 'call') {
      message.tool_calls ??= [];
      message.tool_calls.push(this.callOf(part));
      sites.push(this.sites.get(part)!);
    } else message.content += this.textIn([part]);
  }

  /** Whether the message is one more piece of the last one. */
  private isContinuedBy(group: string | undefined): boolean {
    if (this.current === undefined) return false;
    return group === undefined ? this.joinsPieces : this.current.group === group;
  }

  private begin(group: string | undefined): NonNullable<Writer['current']> {
    this.finish();
    const message: RowMessage = { ...EMPTY, role: 'assistant' };
    this.messages.push(message);
    this.current = { message, group, sites: [] };
    return this.current;
  }

  /** Results follow the message with their calls, in the order of the calls. */
  private finish(): void {
    const { message, sites = [] } = this.current ?? {};
    this.current = undefined;
    for (const [index, { results }] of sites.entries()) {
      const call = message!.tool_calls![index]!;
      const [result] = results;
      if (result === undefined) this.open.add(call);
      else this.messages.push(this.resultOf(call, result));
    }
  }

  private resultOf({ id, function: { name } }: RowCall, { part }: ResultSite): RowMessage {
    return { ...EMPTY, role: 'tool', content: this.textIn(part.content), tool_call_id: id, name };
  }

  private callOf({ callId, tool, input }: CallPart): RowCall {
    const text = textOf(input);
    return {
      id: this.idOf(callId),
      type: 'function',
      function: { name: tool, arguments: text.trim() === '' ? '{}' : text },
    };
  }

  /** Unique in the row. */
  private idOf(given: string | undefined): string {
    let id = given === undefined || given === '' ? `call_${this.ids.size + 1}` : given;
    const base = given || 'call';
    let count = this.counts.get(base) ?? 2;
    for (; this.ids.has(id); count++) id = `${base}_${count}`;
    this.counts.set(base, count);
    this.ids.add(id);
    return id;
  }

  private textIn(content: readonly ContentPart[]): string {
    if (content.every(({ type }) => type === 'text')) return joinTexts(content);
    return content.map((part) => this.noted(part)).join('');
  }

  private noted(part: ContentPart): string {
    if (part.type === 'text') return textOf(part.text);
    if (part.type === 'media') {
      this.losses.add('media');
      return `[${part.kind}]`;
    }
    this.losses.add('part-lost');
    return part.text === undefined ? '' : textOf(part.text);
  }
}

const EMPTY = { content: '', reasoning_content: null, tool_calls: null, tool_call_id: null, name: null } as const;

function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'media' || part.type === 'opaque';
}

function joined(before: string, text: string): string {
  return before === '' ? text : `${before}\n${text}`;
}
