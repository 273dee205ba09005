/** Edits of messages that laws of formats try: what transforms may do to any message. */
import { textOf } from '../transcript/text.js';
import type { ContentPart, Message, Part } from '../transcript/types.js';

export type Edit = (message: Message) => Message;

/** What was edited, written and read again means the same. */
export const EDITS: Readonly<Record<string, Edit>> = {
  'texts grow': mapTexts((text) => `${text} — mehr\n"日本語"`),
  'texts shrink': mapTexts((text) => text.slice(0, Math.ceil(text.length / 3))),
  'texts go': (message) => mapContent(message, (content) => content.filter((part) => part.type !== 'text')),
  'calls go': (message) => ({ ...message, parts: message.parts.filter((part) => part.type !== 'call') }),
  'every second call goes': (message) => ({
    ...message,
    parts: message.parts.filter((part, index) => part.type !== 'call' || index % 2 === 0),
  }),
  'ids change': (message) => ({
    ...message,
    parts: message.parts.map((part) =>
      (part.type === 'call' || part.type === 'result') && part.callId ? { ...part, callId: `${part.callId}_2` } : part,
    ),
  }),
  'arguments change': (message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'call' ? { ...part, input: '{"changed":1.0}' } : part)),
  }),
};

/** Two texts where there was one: a format may keep them as one. */
export const SAY_MORE: Edit = (message) =>
  mapContent(message, (content) =>
    content.flatMap((part): Part[] => (part.type === 'text' ? [part, { type: 'text', text: ' And more.' }] : [part])),
  );

/** Nothing is left of the texts. */
export const SILENCE: Readonly<Record<string, Edit>> = {
  'texts are empty': mapTexts(() => ''),
  'results say nothing': (message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'result' ? { ...part, content: [] } : part)),
  }),
};

/** As if somebody had made it: only media and what nobody knows keep the values they were read from. */
export function afresh({ raw: _, ...message }: Message): Message {
  const strip = <P extends Part>(part: P): P => {
    if (part.type === 'media' || part.type === 'opaque') return part;
    const { awaitsApproval: _, ...rest } = part as P & { awaitsApproval?: boolean }; // who is asked has an id for it
    return { ...(rest as P), raw: undefined };
  };
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'result' ? strip({ ...part, content: part.content.map(strip) }) : strip(part),
    ),
  };
}

/** The texts of a message, those of its results too. */
export function textsOf({ parts }: Message): string[] {
  return parts
    .flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part]))
    .flatMap((part) => ('text' in part && part.text !== undefined ? [textOf(part.text)] : []));
}

function mapTexts(change: (text: string) => string): Edit {
  return (message) =>
    mapContent(message, (content) =>
      content.map((part) => (part.type === 'text' ? { ...part, text: change(textOf(part.text)) } : part)),
    );
}

function mapContent(message: Message, change: (content: readonly Part[]) => readonly Part[]): Message {
  return {
    ...message,
    parts: change(message.parts).map((part) =>
      part.type === 'result' ? { ...part, content: change(part.content) as readonly ContentPart[] } : part,
    ),
  };
}
