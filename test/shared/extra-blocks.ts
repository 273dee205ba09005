/** Ways to put something more into messages, for histories with all that an API takes. */
import type { Random } from './random-histories.js';

export type Block = Readonly<Record<string, unknown>>;
/** The messages with something more, here or there. */
export type Extra = (list: readonly Block[], random: Random) => readonly Block[];

/** Each message for which `change` returns one in its place, or several; about one of `often`. */
export function some(
  often: number,
  change: (message: Block, at: number) => Block | readonly Block[] | undefined,
): Extra {
  return (list, random) =>
    list.flatMap((message, at) => (random(often) > 0 ? message : (change(message, at) ?? message)));
}

export const blocksOf = (message: Block, key: string) =>
  Array.isArray(message[key]) ? (message[key] as readonly Block[]) : [];
export const by =
  (role: string, change: (message: Block, at: number) => Block | readonly Block[] | undefined) =>
  (message: Block, at: number) =>
    message['role'] === role ? change(message, at) : undefined;

/** Blocks put before those of the model's messages. */
export const led = (role: string, key: string, blocks: (at: number) => readonly Block[]) =>
  by(role, (message, at) => {
    const old = blocksOf(message, key);
    return old.length === 0 ? undefined : { ...message, [key]: [...blocks(at), ...old] };
  });

/** The blocks that have this member, or of this type, changed. */
export const each = (key: string, is: (block: Block) => boolean, change: (block: Block) => Block) => (message: Block) =>
  blocksOf(message, key).some(is)
    ? { ...message, [key]: blocksOf(message, key).map((block) => (is(block) ? change(block) : block)) }
    : undefined;

export const typed = (type: string) => (block: Block) => block['type'] === type;
export const keyed = (key: string) => (block: Block) => key in block;
export const within = (key: string, more: (inner: Block) => Block) => (block: Block) => ({
  ...block,
  [key]: { ...(block[key] as Block), ...more(block[key] as Block) },
});

export const instructed = (role: string): Extra =>
  some(
    8,
    by('user', (message, at) => (at < 2 ? undefined : [{ role, content: 'Answer in short.' }, message])),
  );

/** At most so many messages of the user get a mark of the cache at their end. */
export const marked = (most: number, key: string, mark: (blocks: readonly Block[]) => readonly Block[]): Extra => {
  return (list, random) => {
    const chosen = new Set(Array.from({ length: random(most + 1) }, () => random(list.length)));
    return list.map((message, at) =>
      chosen.has(at) && message['role'] === 'user' && blocksOf(message, key).length > 0
        ? { ...message, [key]: mark(blocksOf(message, key)) }
        : message,
    );
  };
};
