/** The findings of a conversion: what could not be converted, and whether content is lost. */

import { attachedIn } from '../formats/attachments.js';
import type { Format } from '../formats/format.js';
import type { Message, Transcript } from '../transcript/types.js';
import { fieldsLost } from './lost.js';

/** Something that the other format cannot express. */
export interface Loss {
  /** What was left out or changed, as a sentence. */
  readonly what: string;
  /**
   * Whether text, calls, results, images or tools are lost; else only metadata, or the same content in another form.
   */
  readonly loss: boolean;
  /** The indices of its messages; empty if it is outside the messages. */
  readonly messages: readonly number[];
  /** Members that only the source format has: the number of messages with each, by path. */
  readonly fields?: Readonly<Record<string, number>>;
}

export interface Notes {
  /** Reports that text, calls, results, images or tools are lost. */
  lose(what: string, message?: number): void;
  /** Reports any other change. */
  note(what: string, message?: number): void;
  findings(): Loss[];
}

export function createNotes(): Notes {
  const byWhat = new Map<string, { readonly what: string; readonly loss: boolean; readonly messages: number[] }>();
  const add = (loss: boolean) => (what: string, message?: number) => {
    const known = byWhat.get(what) ?? { what, loss, messages: [] };
    byWhat.set(what, known);
    if (message !== undefined && known.messages.at(-1) !== message) known.messages.push(message);
  };
  return { lose: add(true), note: add(false), findings: () => [...byWhat.values()] };
}

/** Notes by the places of a list that was made of a transcript's messages: they get the places in the transcript. */
export function placedIn(list: readonly Message[], placeOf: ReadonlyMap<Message, number>, notes: Notes): Notes {
  const placed = (add: Notes['note']) => (what: string, index?: number) => {
    const message = index === undefined ? undefined : list[index];
    add(what, message && placeOf.get(message.from ?? message));
  };
  return { ...notes, lose: placed(notes.lose), note: placed(notes.note) };
}

/** What the agent sends beside messages is its own: what a mentioned file, a memory or a hook says. */
export function noteAttached(transcript: Transcript, notes: Notes): void {
  const attached = [...attachedIn(transcript)].filter(([, { texts, media }]) => texts.length + media > 0);
  const kinds = [...new Set(attached.map(([, { kind }]) => `\`${kind}\``))].sort();
  for (const [index] of attached) notes.note(`what the agent sends beside messages: ${kinds.join(', ')}`, index);
}

/** One finding for all members that are not read. `keptOf`: the message whose parts are kept unchanged, if any. */
export function ownFields(
  messages: readonly Message[],
  source: Format,
  keptOf: (message: Message, index: number) => Message | undefined,
): Loss[] {
  const counts = new Map<string, number>();
  const indices: number[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'meta') return;
    const lost = fieldsLost(message, source, keptOf(message, index));
    for (const field of lost) counts.set(field, (counts.get(field) ?? 0) + 1);
    if (lost.size > 0) indices.push(index);
  });
  if (counts.size === 0) return [];
  const names = [...counts.keys()].map((field) => `\`${field}\``);
  return [
    {
      what: `fields that only ${source.id} has: ${names.join(', ')}`,
      loss: false,
      messages: indices,
      fields: Object.fromEntries(counts),
    },
  ];
}
