/** Messages that nobody recorded: texts in a row, errors with and without a text, and contents that hold nothing. */
import type { CallPart, Message, Part, ResultPart, Role, TextPart, Traits } from '../../src/transcript/types.js';

const TEXTS: readonly (readonly string[])[] = [
  [],
  [''],
  ['One.'],
  ['One.', 'Two.'],
  ['', 'Two.'],
  ['One.', '', 'One.'],
];

/** What may be said, by kind and name: each list of texts by itself, with calls, and as what a tool answered. */
export function messagesFor({ resultsStandInCalls }: Traits): ReadonlyMap<string, ReadonlyMap<string, Message>> {
  const kinds = new Map<string, Map<string, Message>>();
  const add = (kind: string, name: string, role: Role, parts: readonly Part[]) => {
    const messages = kinds.get(kind) ?? new Map<string, Message>();
    kinds.set(kind, messages.set(`${kind} ${name}`, { role, parts }));
  };
  for (const texts of TEXTS) {
    const name = JSON.stringify(texts);
    for (const role of ['system', 'user', 'assistant'] as const) add(role, name, role, texts.map(text));
    add('call', name, 'assistant', [...texts.map(text), call('call_1')]);
    add('calls', name, 'assistant', [...texts.map(text), call('call_1'), call('call_2')]);
    for (const isError of [undefined, false, true]) {
      const result = resultOf(texts, isError);
      const told = isError === undefined ? '' : isError ? ' error' : ' no error';
      if (resultsStandInCalls) add('result', name + told, 'assistant', [call('call_1'), result]);
      else add('result', name + told, 'tool', [result]);
    }
  }
  return kinds;
}

function text(said: string): TextPart {
  return { type: 'text', text: said };
}

function call(callId: string): CallPart {
  return { type: 'call', callId, tool: 'run', input: '{"command":"ls"}' };
}

function resultOf(texts: readonly string[], isError: boolean | undefined): ResultPart {
  const flag = isError === undefined ? {} : { isError };
  return { type: 'result', callId: 'call_1', tool: 'run', content: texts.map(text), ...flag };
}

/** Names of messages to be edited: with nothing, with one text, with a list of them. */
export const BASES: ReadonlySet<string> = new Set(
  ['system', 'user', 'assistant', 'call', 'calls', 'result'].flatMap((kind) =>
    ['[]', '["One."]', '["One.","Two."]'].flatMap((texts) => [`${kind} ${texts}`, `${kind} ${texts} error`]),
  ),
);

/** `message` as if it had been read from where `base` was, and edited since. */
export function editedInto(base: Message, message: Message): Message {
  const left = [...base.parts];
  const parts = message.parts.map((part): Part => {
    const at = left.findIndex(({ type }) => type === part.type);
    const old = at < 0 ? undefined : left.splice(at, 1)[0];
    if (old?.type !== 'result' || part.type !== 'result') return { ...old, ...part } as Part;
    const texts = [...old.content];
    return { ...old, content: part.content.map((block) => ({ ...texts.shift(), ...block })) };
  });
  return { ...base, parts };
}
