/** The laws of formats, on one recording. Our own formats are held to them, and plugins by `testFormat`. */
import { isTranscriptError } from '../errors.js';
import type { Format } from '../formats/format.js';
import { type JsonPlain, patch } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { reparsed } from '../json/print.js';
import { type Recording, save } from '../source/recording.js';
import { textOf } from '../transcript/text.js';
import type { Message, Part } from '../transcript/types.js';
import { differenceOf, spelled } from './difference.js';
import { afresh, EDITS, SAY_MORE, SILENCE, textsOf } from './edits.js';

/** A recording, and the format that it was opened in. */
export interface Subject {
  readonly format: Format;
  readonly recording: Recording;
  readonly bytes: Uint8Array;
  /** The most messages to edit, evenly spread. */
  readonly most?: number;
}

/** Messages that tell of a recording what the rest would. */
const MANY = 200;

/** By what holds: the ways in which it does not, each in a sentence. */
export const LAWS: Readonly<Record<string, (subject: Subject) => Iterable<string>>> = {
  'what nobody changed is saved byte for byte': function* ({ recording, bytes }) {
    const copies = recording.transcripts.map((one) => ({ ...one, messages: [...one.messages] }));
    for (const saved of [save(recording), save(recording, copies)]) {
      if (Buffer.compare(saved, bytes) === 0) continue;
      const at = saved.findIndex((byte, index) => byte !== bytes[index]);
      yield `the saved file differs from byte ${at < 0 ? saved.length : at} on`;
    }
  },
  'a message that nobody changed is written as the very value that it was read from': function* (subject) {
    const { format } = subject;
    for (const [message, where] of messagesIn(subject))
      if (message.raw instanceof JsonNode && format.write(message) !== message.raw)
        yield `${where}: \`write\` makes another value; return \`raw\`, or a \`patch\` of it that changes nothing`;
  },
  'an edited message means the same when it is written and read again': function* (subject) {
    for (const [what, edit] of Object.entries(EDITS))
      for (const [message, where] of spokenIn(subject))
        yield* differenceAfter(edit(message), `${where}, ${what}`, subject);
  },
  'a message that says more loses nothing': function* (subject) {
    for (const [message, where] of fewOf(subject)) {
      const more = SAY_MORE(message);
      const [found, expected] = [lettersOf(rereadIn(more, subject)), lettersOf(more)];
      if (found !== expected) yield `${where}: of ${spelled(textsOf(more))} something is missing, or twice there`;
    }
  },
  'a message that says nothing keeps none of its texts': function* (subject) {
    for (const [what, edit] of Object.entries(SILENCE))
      for (const [message, where] of fewOf(subject)) {
        const left = textsOf(rereadIn(edit(message), subject)).join('\n');
        const kept = textsGone(message, edit(message)).find((text) => left.includes(text));
        if (kept !== undefined) yield `${where}, ${what}: ${spelled(kept)} is still there`;
      }
  },
  'a new message reads as what was written': function* (subject) {
    for (const [message, where] of spokenIn(subject))
      yield* differenceAfter(afresh(message), `${where}, written anew`, subject);
  },
};

/** Of formats of plugins, whose values nobody else breaks. */
export const PLUGIN_LAWS: typeof LAWS = {
  'a value of the wrong type is unknown, or an error that says where it is': function* (subject) {
    for (const [{ raw }, where] of messagesIn(subject).slice(0, MANY / 5)) {
      if (!(raw instanceof JsonNode) || !raw.isObject) continue;
      for (const { key } of raw.members())
        for (const value of WRONG) {
          const fault = defectIn(reparsed(patch(raw, { [key.text]: value })), subject.format);
          if (fault !== undefined) yield `${where}, \`${key.text}\` is ${JSON.stringify(value)}: ${fault}`;
        }
    }
  },
};

const WRONG: readonly JsonPlain[] = [null, 7, true, 'text', [], [7], {}];

/** What else than a TranscriptError is thrown. */
function defectIn(raw: JsonNode, format: Format): string | undefined {
  try {
    format.score(raw);
    format.recorded?.(raw);
    format.read(raw);
  } catch (error) {
    if (!isTranscriptError(error)) return `${error}; throw \`wrongType(node, path, expected)\` instead`;
  }
  return undefined;
}

type Placed = readonly [message: Message, where: string];

function messagesIn({ recording }: Subject): Placed[] {
  return recording.transcripts.flatMap(({ messages }, transcript) =>
    messages.map((message, index): Placed => {
      const where = `message ${index + 1}`;
      return [message, recording.transcripts.length === 1 ? where : `transcript ${transcript + 1}, ${where}`];
    }),
  );
}

const spokenIn = (subject: Subject) =>
  spread(
    messagesIn(subject).filter(([{ role }]) => role !== 'meta'),
    subject.most ?? MANY,
  );

/** For laws that try each message in many ways. */
const fewOf = (subject: Subject) => spokenIn(subject).slice(0, (subject.most ?? MANY) / 5);

/** At most so many items, evenly spread. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  const step = Math.ceil(items.length / most);
  return items.filter((_, index) => index % step === 0);
}

function* differenceAfter(message: Message, where: string, subject: Subject): Iterable<string> {
  const difference = differenceOf(meaningOf(rereadIn(message, subject)), meaningOf(message));
  if (difference !== undefined) yield `${where}: ${difference}`;
}

const rereadIn = (message: Message, { format }: Subject) => reread(message, format);

/** A message, written and read again. */
export function reread(message: Message, format: Format): Message {
  return format.read(reparsed(format.write(message)), message.role === 'system');
}

/** What a message says, without where it was read from. An empty text says nothing. */
export function meaningOf({ role, parts, name }: Message): unknown {
  return { role, name, parts: meaningsOf(parts) };
}

function meaningsOf(parts: readonly Part[]): Record<string, unknown>[] {
  return parts.map(meaningOfPart).filter((part) => !(part['type'] === 'text' && part['text'] === ''));
}

function meaningOfPart(part: Part): Record<string, unknown> {
  const { raw: _, ...rest } = part as Part & Record<string, unknown>;
  const meaning: Record<string, unknown> = { ...rest };
  if ('text' in part && part.text !== undefined) meaning['text'] = textOf(part.text);
  if (part.type === 'call') meaning['input'] = textOf(part.input);
  if (part.type === 'result') meaning['content'] = meaningsOf(part.content);
  return meaning;
}

/** The texts of some length that an edit took away. */
function textsGone(before: Message, after: Message): string[] {
  const left = textsOf(after).join('\n');
  return textsOf(before).filter((text) => text.length > 12 && !left.includes(text));
}

/** How often each character is in the texts, in whichever order and however many texts they are. */
function lettersOf(message: Message): string {
  const counts = new Map<string, number>();
  for (const text of textsOf(message)) for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts]
    .map(([letter, count]) => `${letter}${count}`)
    .sort()
    .join('');
}
