/** Two recordings that nobody says how they belong together: messages are matched by what they hold, then by what they are. */
import { diffArrays } from 'diff';
import { type Change, weave } from '../transcript/compare.js';
import type { Message, Transcript } from '../transcript/types.js';
import { readable } from './differences.js';

/** Pairs of transcripts: by id where both files have ids, each once; else in their order. One side may be missing. */
export function alignTranscripts(
  before: readonly Transcript[],
  after: readonly Transcript[],
): { readonly before?: Transcript; readonly after?: Transcript }[] {
  const ids = (transcripts: readonly Transcript[]) =>
    new Map(
      transcripts.flatMap((transcript) => (transcript.id === undefined ? [] : [[transcript.id, transcript] as const])),
    );
  const [left, right] = [ids(before), ids(after)];
  if (left.size < before.length || right.size < after.length) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
      before: before[index],
      after: after[index],
    }));
  }
  const added = after.filter(({ id }) => !left.has(id!)).map((transcript) => ({ after: transcript }));
  return [...before.map((transcript) => ({ before: transcript, after: right.get(transcript.id!) })), ...added];
}

export function alignMessages(before: readonly Message[], after: readonly Message[]): Change[] {
  const keysBefore = before.map(keyOf);
  const keysAfter = after.map(keyOf);
  const origins = new Array<number | undefined>(after.length).fill(undefined);
  let at = 0;
  let to = 0;
  let open: number[] = []; // messages of the first list that are gone since the last match
  for (const { added, removed, count = 0 } of diffArrays(keysBefore, keysAfter)) {
    if (removed) {
      open = Array.from({ length: count }, (_, index) => at + index);
      at += count;
    } else if (added) {
      for (let index = to; index < to + count; index++) origins[index] = takeAlike(open, before, after[index]!);
      to += count;
    } else {
      for (let index = 0; index < count; index++) origins[to + index] = at + index;
      at += count;
      to += count;
      open = [];
    }
  }
  adoptMoved(origins, keysBefore, keysAfter);
  return weave(before.length, origins, (from, index) => keysBefore[from] === keysAfter[index]);
}

/** Of the messages that are gone here, one with the same role and the same calls or answered call: it was changed. */
function takeAlike(open: number[], before: readonly Message[], message: Message): number | undefined {
  const found = open.findIndex((index) => kinship(before[index]!) === kinship(message));
  return found < 0 ? undefined : open.splice(0, found + 1).pop();
}

/** What is gone in one place and new in another, letter by letter, has moved. */
function adoptMoved(origins: (number | undefined)[], before: readonly string[], after: readonly string[]): void {
  const taken = new Set(origins);
  const free = new Map<string, number[]>();
  before.forEach((key, index) => {
    if (!taken.has(index)) free.set(key, [...(free.get(key) ?? []), index]);
  });
  origins.forEach((origin, index) => {
    if (origin === undefined) origins[index] = free.get(after[index]!)?.shift();
  });
}

function keyOf(message: Message): string {
  return `${message.role}\n${readable(message.parts)}`;
}

function kinship({ role, parts }: Message): string {
  const ids = parts.flatMap((part) => (part.type === 'result' ? [part.callId ?? part.tool ?? ''] : []));
  return `${role} ${ids.join(' ')}`;
}
